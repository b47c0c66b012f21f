import { readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Life, openPlace, type Place } from '../support/bot-process.ts'
import { ofType } from '../support/client.ts'
import { calls, says, slowly } from '../support/model-server.ts'
import { withoutSandbox } from '../support/sandbox.ts'
import { startSlackServer } from '../support/slack/server.ts'
import { eventually } from '../support/until.ts'

const sentence = 'The disk that holds Bobbin’s data is full.'
/** Takes all room that is left, and gives it back. */
function filler(place: Place, life: Life) {
  const file = join(place.dataOf(life), 'filler')
  return {
    async fill() {
      const { bavail, bsize } = await statfs(place.dataOf(life))
      // The bot may take some of it in between: then less is left to fill.
      await writeFile(file, Buffer.alloc(bavail * bsize)).catch((thrown: NodeJS.ErrnoException) => {
        if (thrown.code !== 'ENOSPC') throw thrown
      })
    },
    free: () => rm(file),
  }
}

/** A tool that waits for a file, and has much to tell. */
const plugin = `
  import { appendFileSync, readFileSync, existsSync } from 'node:fs'
  import { setTimeout as sleep } from 'node:timers/promises'
  import { z } from ${JSON.stringify(import.meta.resolve('zod'))}
  export default () => ({ name: 'slow', tools: [{
    kind: 'run', name: 'slow', description: 'Waits for a file.', input: z.strictObject({ file: z.string() }),
    effect: 'external', repeatable: false,
    async run({ file }) {
      appendFileSync(file + '.runs', 'x')
      while (!existsSync(file)) await sleep(20)
      return 'done: ' + 'much '.repeat(8_000)
    },
  }] })`

interface Health {
  status: string
  database: { ok: boolean; detail: string }
}

const healthOf = async (life: Life): Promise<Health> =>
  (await (await fetch(`${life.chat.url}/health`)).json()) as Health

// A disk of its own takes bubblewrap, or root.
describe.skipIf(withoutSandbox)('a full disk', () => {
  const diskBytes = 6_000_000

  test('is reported to whoever writes, in health and in the log; messages are accepted when there is room', async () => {
    const place = await openPlace({
      diskBytes,
      script: () => says('Here I am.'),
      settings: { engine: { silent_ms: 1_000 } },
    })
    const life = await place.start()
    const { conversation } = await life.chat.say('hello')
    const disk = filler(place, life)
    await disk.fill()
    const text = 'words '.repeat(5_000)
    const refused = await life.chat.send(text, { conversation, key: 'k' })
    expect(refused.status).toBe(507)
    const { error } = (await refused.json()) as { error: { code: string; message: string; remedy: string } }
    expect(error).toMatchObject({ code: 'disk_full', message: sentence, remedy: expect.stringContaining('Make room') })
    // Small writes may still find room, and then it is well again until the next one.
    const full = { status: 'degraded', database: { detail: expect.stringContaining(sentence) } }
    await eventually(async () => expect(await healthOf(life)).toMatchObject(full))
    await eventually(() => expect(life.said()).toContain(sentence))
    expect(life.said()).not.toMatch(/cannot rollback|Something went wrong|\n {4}at /)

    await disk.free()
    expect((await life.chat.say(text, { conversation, key: 'k' })).text).toBe('Here I am.')
    await eventually(async () => expect((await healthOf(life)).status).toBe('ok'))
  })

  test('a running turn waits for room, continues by itself, and does nothing twice', async () => {
    const place = await openPlace({
      diskBytes,
      plugin,
      script: (_, number) =>
        number === 0 ? calls('slow', { file: `${place.dataDir}.go` }) : slowly(5, says('All done.')),
    })
    const life = await place.start()
    const response = await life.chat.send('go')
    const conversation = response.headers.get('x-conversation-id') ?? ''
    await life.chat.untilType(conversation, 'act')
    const disk = filler(place, life)
    await disk.fill()
    await writeFile(`${place.dataDir}.go`, '')
    await eventually(() => expect(life.said()).toContain(sentence))
    expect(place.model.requests).toHaveLength(1)

    await disk.free()
    await life.chat.untilType(conversation, 'complete')
    const events = await life.chat.events(conversation)
    expect(ofType(events, 'observe').map(({ data }) => data.status)).toEqual(['done'])
    expect(ofType(events, 'act')).toHaveLength(1)
    expect(ofType(events, 'error')).toEqual([])
    expect(ofType(events, 'complete').map(({ data }) => data.content)).toEqual(['All done.'])
    await response.body?.cancel()
  })

  test('people in a Slack thread are told once; the running turn and later messages are answered when there is room', async () => {
    const slack = await startSlackServer({ redeliveryMs: [400, 400], ackMs: 3_000 })
    onTestFinished(() => slack.close())
    const place = await openPlace({
      diskBytes,
      plugin,
      environment: {
        SLACK_BOT_TOKEN: slack.botToken,
        SLACK_APP_TOKEN: slack.appToken,
        SLACK_API_URL: slack.apiUrl,
      },
      script: (_, number) => (number === 0 ? calls('slow', { file: `${place.dataDir}.go` }) : says('All done.')),
    })
    const life = await place.start()
    const root = slack.people.mention('ana', 'general', 'go')
    await eventually(() => stat(`${place.dataDir}.go.runs`))
    const disk = filler(place, life)
    await disk.fill()
    await writeFile(`${place.dataDir}.go`, '')
    const shown = () =>
      slack.view('general', root).filter(({ user, ephemeralTo }) => user === slack.bot.id && !ephemeralTo)
    const count = (words: string) => shown().filter((one) => JSON.stringify(one).includes(words)).length
    await eventually(() => expect(count(sentence)).toBe(1))
    slack.people.post('ben', 'general', `${slack.bot.mention} and hurry`, { thread_ts: root })
    await slack.idle()
    expect(count(sentence)).toBe(1)
    expect(place.model.requests).toHaveLength(1)

    await disk.free()
    await eventually(() => expect(JSON.stringify(place.model.requests.at(-1))).toContain('and hurry'))
    await eventually(() => expect(count('All done.')).toBeGreaterThan(0))
    expect(count(sentence)).toBe(1)
    expect(await readFile(`${place.dataDir}.go.runs`, 'utf8')).toBe('x')
  })

  test('at the start it is one sentence without a stack trace', async () => {
    const place = await openPlace({
      diskBytes,
      through: ['sh', '-c', 'head -c 8000000 /dev/zero > "$BOBBIN_DATA_DIR/filler" 2>/dev/null; exec "$@"', 'sh'],
    })
    const life = place.launch()
    expect(await life.ended).toBe(1)
    expect(life.said().trim()).toMatch(
      /^(?:Still starting\. [^\n]+\n)?The disk that holds Bobbin’s data is full\. The data directory is \S+\. Make room on it .*$/,
    )
  })

  test('neither the next start nor doctor calls a disk that is full to the last byte broken', async () => {
    const script = '"$1" "$2" migrate; cat /dev/zero > "$BOBBIN_DATA_DIR/filler"; "$1" "$2" doctor; exec "$@"'
    const place = await openPlace({ diskBytes, through: ['sh', '-c', script, 'sh'], script: () => says('OK.') })
    const life = place.launch()
    expect(await life.ended).toBe(1)
    expect(life.said()).toContain(`✗ ${sentence}\n      Make room on it`)
    expect(life.said()).toMatch(/\n(Still starting\. [^\n]+\n)?The disk that holds Bobbin’s data is full\. [^\n]+\n$/)
    expect(life.said()).not.toMatch(/from a backup|reports errors/)
  })
})
