import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/kit/failure.ts'
import type { OutgoingFile } from '../../src/platforms/platform.ts'
import { NotPosted } from '../../src/platforms/platform.ts'
import { type Bench, openBench, posting, threadOf } from './support.ts'

async function begin(bench: Bench) {
  const { server, platform } = bench
  const ts = server.people.mention('ana', 'general', 'hi')
  await server.idle()
  const thread = threadOf(server, 'general', ts)
  const page = (text: string) => platform.pages({ kind: 'answer', text, files: [], record: undefined })[0]
  const texts = () =>
    server
      .view('general', ts)
      .slice(1)
      .map(({ text }) => text)
  return { thread, page, texts, ts }
}

const file = (name: string, text: string): OutgoingFile => ({
  name,
  path: `outputs/${name}`,
  type: 'text/plain',
  size: text.length,
  bytes: async () => new TextEncoder().encode(text),
})

/** Pages of files only. */
const filePages = (bench: Bench, ...files: OutgoingFile[]) =>
  bench.platform.pages({ kind: 'answer', text: '', files, record: undefined }).slice(1)

test('a message of ours that Slack doesn’t delete loses its buttons', async () => {
  await using bench = await openBench()
  const { thread, page, ts } = await begin(bench)
  const { server, platform } = bench
  const shown = page('Here.') as { tail: object[] }
  const button = { type: 'button', action_id: 'a', text: { type: 'plain_text', text: 'Stop' } }
  shown.tail = [{ type: 'actions', elements: [button] }]
  const id = await platform.post(thread, shown, posting('k'))
  expect(JSON.stringify(server.view('general', ts))).toContain('Stop')
  server.misbehave.refuse('chat.delete', 'compliance_exports_prevent_deletion', { times: 9 })
  await platform.remove(thread, id)
  expect(server.view('general', ts)).toMatchObject([{}, { ts: id, text: 'Done.' }])
  expect(JSON.stringify(server.view('general', ts))).not.toContain('Stop')
})

describe('a post', () => {
  test.each([
    ['channel_not_found', 'repairable', 'the channel is gone, or the bot is not in it', 'Invite me with /invite'],
    ['is_archived', 'repairable', 'the channel is archived', 'Unarchive it'],
    ['not_in_channel', 'repairable', 'the bot is not in the channel', 'Invite me with /invite'],
    ['account_inactive', 'repairable', 'the app was removed from the workspace', 'Reinstall the app'],
    ['invalid_auth', 'repairable', 'Slack doesn’t recognise the bot token', 'SLACK_BOT_TOKEN'],
    ['token_expired', 'repairable', 'the bot token has expired', 'Reinstall the app'],
    ['token_revoked', 'repairable', 'the bot token was revoked', 'Reinstall the app'],
    ['missing_scope', 'repairable', 'the app lacks the scope', 'OAuth & Permissions'],
    ['restricted_action', 'repairable', 'only some people', 'admin'],
    ['restricted_action_thread_locked', 'repairable', 'the thread is locked', 'Unlock it'],
    ['something_new', 'repairable', 'Slack says something_new', undefined],
    ['invalid_thread_ts', 'never', 'the thread was deleted', undefined],
    ['user_disabled', 'never', 'deactivated', undefined],
    ['msg_too_long', 'never', 'in every form', undefined],
    ['invalid_arguments', 'never', 'Slack says invalid_arguments', undefined],
  ])('that Slack refuses with %s is %s, in plain words', async (error, again, words, remedy) => {
    await using bench = await openBench()
    const { thread, page, texts } = await begin(bench)
    // In whatever form it comes.
    bench.server.misbehave.refuse('chat.postMessage', error, { times: 3 })
    const post = bench.platform.post(thread, page('x'), posting('k'))
    await expect(post).rejects.toThrow(NotPosted)
    await expect(post).rejects.toMatchObject({
      again,
      message: expect.stringContaining(words),
      remedy: remedy === undefined ? undefined : expect.stringContaining(remedy),
    })
    expect(texts()).toEqual([])
  })

  test.each([
    ['thread_not_found', true],
    ['invalid_thread_ts', true],
    ['user_disabled', true],
    ['user_not_found', true],
    ['msg_too_long', false],
    ['channel_not_found', false],
  ])('that Slack refuses with %s says that the thread is gone: %s', async (error, gone) => {
    await using bench = await openBench()
    const { thread, page } = await begin(bench)
    bench.server.misbehave.refuse('chat.postMessage', error, { times: 3 })
    await expect(bench.platform.post(thread, page('x'), posting('k'))).rejects.toMatchObject({ gone })
  })

  test.each([
    ['token_revoked', true],
    ['team_disabled', true],
    ['is_archived', false],
  ])('that Slack refuses with %s says that this is so everywhere: %s', async (error, everywhere) => {
    await using bench = await openBench()
    const { thread, page } = await begin(bench)
    bench.server.misbehave.refuse('chat.postMessage', error, { times: 3 })
    await expect(bench.platform.post(thread, page('x'), posting('k'))).rejects.toMatchObject({ everywhere })
  })

  test.each(['reset', '500'] as const)(
    'that arrived although the call failed (%s) is found, and only then',
    async (how) => {
      await using bench = await openBench()
      const { thread, page, texts } = await begin(bench)
      bench.server.misbehave.storeButFail('chat.postMessage', how)
      const one = posting('one', Date.now() - 1_000)
      await expect(bench.platform.post(thread, page('first'), one)).rejects.not.toThrow(NotPosted)
      expect(texts()).toEqual(['first'])
      expect(await bench.platform.find(thread, one)).toBe(bench.server.view('general', thread.thread)[1]?.ts)
      expect(await bench.platform.find(thread, posting('two', Date.now() - 1_000))).toBeUndefined()
      expect(bench.server.callsTo('chat.postMessage')).toHaveLength(1)
    },
  )

  test.each(['internal_error', 'fatal_error'])('that Slack fails at with %s leaves it open', async (error) => {
    await using bench = await openBench()
    const { thread, page } = await begin(bench)
    bench.server.misbehave.refuse('chat.postMessage', error)
    await expect(bench.platform.post(thread, page('x'), posting('k'))).rejects.not.toThrow(NotPosted)
  })

  test.each(['chat.postMessage', 'chat.update'])('waits as long as %s is limited, and is made once', async (method) => {
    await using bench = await openBench()
    const { thread, page, texts } = await begin(bench)
    bench.server.misbehave.rateLimit(method, { retryAfter: 1, times: 2 })
    const id = await bench.platform.post(thread, page('one'), posting('k'))
    await bench.platform.edit(thread, id, page('two'))
    await bench.platform.edit(thread, id, page('two'))
    expect(texts()).toEqual(['two'])
    expect(bench.server.violations).toEqual([])
  })

  test('is plainer where Slack does not know its blocks', async () => {
    await using bench = await openBench()
    const { thread, ts } = await begin(bench)
    const { server, platform } = bench
    const record = {
      turn: 't' as never,
      segment: 0,
      state: 'done' as const,
      parts: [
        {
          kind: 'call' as const,
          call: 'c' as never,
          tool: 'read_file',
          about: '<!here> & co',
          status: 'done' as const,
        },
      ],
      todos: [],
      notices: [],
      startedAt: 0,
    }
    const [page] = platform.pages({ kind: 'answer', text: 'The answer', files: [], record })
    server.misbehave.refuse('chat.postMessage', 'invalid_blocks', {
      with: ({ blocks }) => JSON.stringify(blocks).includes('plan'),
    })
    await platform.post(thread, page, posting('k'))
    expect(server.view('general', ts)[1]?.text).toContain('✓ 1 step · read_file <!here> & co')
    server.misbehave.refuse('chat.postMessage', 'invalid_blocks', { times: 2 })
    await platform.post(thread, page, posting('l'))
    expect(server.view('general', ts)[2]?.text).toBe('The answer')
    expect(server.violations).toEqual([])
  })

  test('to a message that is gone is given up', async () => {
    await using bench = await openBench()
    const { thread, page } = await begin(bench)
    const id = await bench.platform.post(thread, page('one'), posting('k'))
    bench.server.misbehave.deleteMessage(id)
    await expect(bench.platform.edit(thread, id, page('two'))).rejects.toMatchObject({
      again: 'never',
      message: 'the message was deleted',
    })
  })

  test('has an address', async () => {
    await using bench = await openBench()
    const { thread, page } = await begin(bench)
    const { platform, server } = bench
    const id = await platform.post(thread, page('one'), posting('k'))
    const base = `https://test-team.slack.com/archives/${server.channel('general')}`
    expect(platform.link(thread)).toBe(`${base}/p${thread.thread.replace('.', '')}`)
    const link = platform.link(thread, id)
    expect(link).toBe(`${base}/p${id.replace('.', '')}?thread_ts=${thread.thread}&cid=${server.channel('general')}`)
    expect(platform.messageIn(`why <${link}>`)).toBe(id)
    expect(platform.messageIn(id)).toBe(id)
    expect(platform.messageIn('why 12.5 and C0123')).toBeUndefined()
  })
})

describe('files', () => {
  test('are shared in the thread as one message, which is found by them', async () => {
    await using bench = await openBench()
    const { thread, ts } = await begin(bench)
    const { server, platform } = bench
    const [page] = filePages(bench, file('a.txt', 'one'), file('b.txt', 'two'))
    const sent = posting('f', Date.now() - 1_000)
    const id = await platform.post(thread, page, sent)
    const shown = server.view('general', ts)[1]
    expect(shown).toMatchObject({ ts: id, files: [{ name: 'a.txt' }, { name: 'b.txt' }] })
    expect(shown?.files.map(({ content }) => content.toString())).toEqual(['one', 'two'])
    expect(await platform.find(thread, sent)).toBe(id)
    expect(await platform.find(thread, posting('f', Date.now() - 1_000))).toBeUndefined()
    expect(server.violations).toEqual([])
  })

  test.each(['reset', '500'] as const)('that were shared although the call failed (%s) are found', async (how) => {
    await using bench = await openBench()
    const { thread, ts } = await begin(bench)
    const { server, platform } = bench
    server.misbehave.storeButFail('files.completeUploadExternal', how)
    const sent = posting('f', Date.now() - 1_000)
    await expect(platform.post(thread, filePages(bench, file('a.txt', 'one'))[0], sent)).rejects.not.toThrow(NotPosted)
    await server.until(() => server.view('general', ts)[1])
    expect(await platform.find(thread, sent)).toBe(server.view('general', ts)[1]?.ts)
  })

  test.each(['files.getUploadURLExternal', 'upload'])(
    'that cannot be put there (%s) are named in their place, and come later',
    async (method) => {
      await using bench = await openBench()
      const { thread, texts, ts } = await begin(bench)
      bench.server.misbehave.break(method, { times: 9 })
      const sent = posting('f')
      await bench.platform.post(thread, filePages(bench, file('a.txt', 'one'))[0], sent)
      expect(texts()).toEqual([
        expect.stringMatching(/^a\.txt couldn’t be posted: the upload failed .*I’ll post it.*console/s),
      ])
      expect(sent.postponed).toEqual(['a.txt'])

      const [page] = bench.platform.pages({ kind: 'files', files: [file('a.txt', 'one')] })
      await expect(bench.platform.post(thread, page, posting('g'))).rejects.toMatchObject({ again: 'repairable' })
      bench.server.misbehave.calm()
      await bench.platform.post(thread, page, posting('h'))
      expect(bench.server.view('general', ts).at(-1)).toMatchObject({ files: [{ name: 'a.txt' }] })
    },
  )

  test('that take too long to upload are tried once, and come later', async () => {
    await using bench = await openBench({ pace: { uploadMs: 300 } })
    const { thread, texts, ts } = await begin(bench)
    bench.server.misbehave.drop('upload', 'silence')
    const sent = posting('f')
    await bench.platform.post(thread, filePages(bench, file('a.txt', 'one'))[0], sent)
    expect(texts()).toEqual([
      expect.stringMatching(/^a\.txt couldn’t be posted: the upload took too long\. I’ll post it.*console/s),
    ])
    expect(sent.postponed).toEqual(['a.txt'])

    // With time for it, also on a busy machine.
    await using later = await openBench({ server: bench.server })
    const [page] = later.platform.pages({ kind: 'files', files: [file('a.txt', 'one')] })
    await later.platform.post(thread, page, posting('h'))
    expect(bench.server.view('general', ts).at(-1)).toMatchObject({ files: [{ name: 'a.txt' }] })
  })

  test('of which one takes too long come later from there on, untried', async () => {
    await using bench = await openBench({ pace: { uploadMs: 300 } })
    const { thread, ts } = await begin(bench)
    bench.server.misbehave.drop('upload', 'silence')
    const sent = posting('f')
    const files = ['a.txt', 'b.txt', 'c.txt'].map((name) => file(name, name))
    await bench.platform.post(thread, filePages(bench, ...files)[0], sent)
    const shown = bench.server.view('general', ts).slice(1)
    expect(shown).toMatchObject([{ files: [], text: expect.stringMatching(/^a\.txt, b\.txt, c\.txt .*too long/) }])
    expect(sent.postponed).toEqual(['a.txt', 'b.txt', 'c.txt'])
  })

  test.each(['files.getUploadURLExternal', 'upload'])('that fail once at %s are put there again', async (method) => {
    await using bench = await openBench()
    const { thread, ts } = await begin(bench)
    bench.server.misbehave.break(method)
    await bench.platform.post(thread, filePages(bench, file('a.txt', 'one'))[0], posting('f'))
    expect(bench.server.view('general', ts).slice(1)).toMatchObject([{ files: [{ name: 'a.txt' }] }])
  })

  test.each([
    ['missing_scope', { needed: 'files:write' }, 'the app lacks the scope files:write', true],
    ['file_uploads_disabled', {}, 'file uploads are switched off', true],
    ['file_upload_size_restricted', {}, 'the file is too large for the workspace', false],
  ] as const)('that Slack refuses with %s are named with the reason', async (error, extra, words, comes) => {
    await using bench = await openBench()
    const { thread, texts } = await begin(bench)
    bench.server.misbehave.refuse('files.getUploadURLExternal', error, { extra, times: 9 })
    const sent = posting('f')
    await bench.platform.post(thread, filePages(bench, file('a.txt', 'one'))[0], sent)
    expect(texts()).toEqual([expect.stringContaining(words)])
    expect(texts()[0]).toContain('console')
    expect(sent.postponed).toEqual(comes ? ['a.txt'] : [])
  })

  test.each([
    ['file_upload_size_restricted', 'the file is too large for the workspace', false],
    ['unlisted_refusal', 'Slack says unlisted_refusal', true],
  ] as const)('of which Slack refuses one with %s are posted without it', async (error, words, comes) => {
    await using bench = await openBench()
    const { thread, ts } = await begin(bench)
    bench.server.misbehave.refuse('files.getUploadURLExternal', error)
    const sent = posting('f')
    const files = [file('a.exe', 'one'), file('b.txt', 'two'), file('c.txt', '')]
    await bench.platform.post(thread, filePages(bench, ...files)[0], sent)
    const shown = bench.server.view('general', ts).slice(1)
    expect(shown).toMatchObject([{ files: [{ name: 'b.txt' }] }])
    expect(shown[0]?.text).toContain(`a.exe couldn’t be posted: ${words}`)
    expect(shown[0]?.text).toContain('c.txt couldn’t be posted: the file is empty')
    expect(sent.postponed).toEqual(comes ? ['a.exe'] : [])
    expect(bench.server.violations).toEqual([])
  })

  test.each(['files.getUploadURLExternal', 'files.completeUploadExternal'])(
    'wait as long as %s is limited',
    async (method) => {
      await using bench = await openBench()
      const { thread, ts } = await begin(bench)
      bench.server.misbehave.rateLimit(method, { retryAfter: 1 })
      await bench.platform.post(thread, filePages(bench, file('a.txt', 'one'))[0], posting('f'))
      expect(bench.server.view('general', ts)).toHaveLength(2)
      expect(bench.server.violations).toEqual([])
    },
  )

  test('that are gone are named beside the others, or alone', async () => {
    await using bench = await openBench()
    const { thread, ts } = await begin(bench)
    const gone: OutgoingFile = {
      ...file('gone.txt', ''),
      bytes: async () => {
        throw new Failure('not_found', 'it no longer exists <!here>', 'Write it again.')
      },
    }
    await bench.platform.post(thread, filePages(bench, file('a.txt', 'one'), gone)[0], posting('f'))
    await bench.platform.post(thread, filePages(bench, gone)[0], posting('g'))
    expect(bench.server.view('general', ts).slice(1)).toMatchObject([
      { files: [{ name: 'a.txt' }], text: 'gone.txt couldn’t be posted: it no longer exists <!here>.' },
      { files: [], text: 'gone.txt couldn’t be posted: it no longer exists <!here>.' },
    ])
    expect(bench.server.violations).toEqual([])
  })

  test('are told in notifications by plain words: how each message itself begins', async () => {
    await using bench = await openBench({ mostMessages: 5 })
    const filler = 'A sentence that says nothing at all. '.repeat(200)
    const text = [
      `# The *first* part\n\n**Bold**, \`code\` and [a link](https://example.org) & more, snake_case_too. ${filler}`,
      `## The second part\n\n- one\n- two\n\n${filler}`,
      '| name | tons |\n|---|---|\n| rye | 3 |',
    ].join('\n\n')
    const pages = bench.platform.pages({ kind: 'answer', text, files: [], record: undefined }) as { text: string }[]
    expect(pages.map((page) => page.text)).toEqual([
      expect.stringMatching(/^The first part Bold, code and a link &amp; more, snake_case_too\. A sentence/),
      expect.stringMatching(/^The second part one two A sentence/),
    ])
    const table = '| name | tons |\n|---|---|\n| rye | 3 |'
    const [only] = bench.platform.pages({ kind: 'answer', text: table, files: [], record: undefined })
    expect((only as { text: string }).text).toBe('name tons rye 3')
  })

  test('stand on pages of their own, after the words, ten on each', async () => {
    await using bench = await openBench()
    const files = Array.from({ length: 23 }, (_, place) => file(`${place}.txt`, 'x'))
    const pages = bench.platform.pages({ kind: 'answer', text: 'Here they are', files, record: undefined })
    expect(pages.map((page) => (page as { kind: string }).kind)).toEqual(['message', 'files', 'files', 'files'])
  })

  test('take the place of an answer that is too long', async () => {
    await using bench = await openBench({ mostMessages: 2 })
    const { thread, ts } = await begin(bench)
    const text = 'A sentence that says nothing at all. '.repeat(2_000)
    const pages = bench.platform.pages({ kind: 'answer', text, files: [], record: undefined })
    for (const [place, page] of pages.entries()) await bench.platform.post(thread, page, posting(`k.${place}`))
    const shown = bench.server.view('general', ts).slice(1)
    expect(shown).toHaveLength(2)
    expect(shown[0]?.text).toContain('The whole answer is in the file below.')
    expect(shown[1]?.files[0]?.content.toString()).toBe(text)
    expect(bench.server.violations).toEqual([])
  })
})

async function read(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new TextDecoder().decode(await new Response(stream).arrayBuffer())
}

describe('a file that somebody uploads', () => {
  const upload = async (bench: Bench, name = 'notes.md', options: { checkInfo?: boolean } = {}) => {
    const { server, sink } = bench
    server.people.mention('ana', 'general', 'look', { files: [{ name, content: 'what it says', ...options }] })
    await server.idle()
    const [remote] = sink.heard.at(-1)?.files ?? []
    if (remote === undefined) throw new Error('no file was heard')
    return remote
  }

  test.each([{ checkInfo: false }, { checkInfo: true }])('is downloaded (%o)', async (options) => {
    await using bench = await openBench()
    const remote = await upload(bench, 'notes.md', options)
    expect(remote).toMatchObject({ name: 'notes.md', size: 12 })
    expect(await read(await bench.platform.download(remote))).toBe('what it says')
    expect(bench.server.violations).toEqual([])
  })

  test('of another workspace is found even if Slack did not tell of it in time', async () => {
    await using bench = await openBench()
    bench.server.misbehave.break('files.info')
    const remote = await upload(bench, 'notes.md', { checkInfo: true })
    expect(await read(await bench.platform.download(remote))).toBe('what it says')
  })

  test.each([
    ['login-page', 'files:read'],
    ['redirect', 'files:read'],
    ['not-found', 'Upload it again.'],
  ] as const)('is refused with a remedy when a %s comes', async (fault, remedy) => {
    await using bench = await openBench()
    const remote = await upload(bench)
    bench.server.misbehave.files(fault)
    const download = bench.platform.download(remote)
    await expect(download).rejects.toThrow(Failure)
    await expect(download).rejects.toMatchObject({ remedy: expect.stringContaining(remedy) })
  })

  test('is for later while the file server fails', async () => {
    await using bench = await openBench()
    const remote = await upload(bench)
    bench.server.misbehave.files('server-error')
    await expect(bench.platform.download(remote)).rejects.toMatchObject({ again: 'later' })
  })

  test('is for later while Slack does not say where it is', async () => {
    await using bench = await openBench()
    bench.server.misbehave.break('files.info', { times: 9 })
    const remote = await upload(bench, 'notes.md', { checkInfo: true })
    await expect(bench.platform.download(remote)).rejects.toMatchObject({ again: 'later' })
  })

  test('that was expected to be a web page is not taken for one that it is not', async () => {
    await using bench = await openBench()
    const remote = await upload(bench, 'page.html')
    bench.server.misbehave.files('login-page')
    await expect(bench.platform.download(remote).then(read)).rejects.toMatchObject({
      remedy: expect.stringContaining('files:read'),
    })
  })

  test.each(['notes.md', 'page.html'])('that breaks off in the middle is for later: %s', async (name) => {
    await using bench = await openBench()
    const remote = await upload(bench, name)
    bench.server.misbehave.files('cut', { times: 1 })
    await expect(bench.platform.download(remote).then(read)).rejects.toMatchObject({ again: 'later' })
    expect(await read(await bench.platform.download(remote))).toBe('what it says')
  })

  test('that is shorter than Slack said is for later, and a longer one is refused', async () => {
    await using bench = await openBench()
    const remote = await upload(bench)
    const sized = (size: number) => bench.platform.download({ ...remote, size }).then(read)
    await expect(sized(13)).rejects.toMatchObject({ again: 'later', remedy: 'Upload it again.' })
    await expect(sized(11)).rejects.toMatchObject({ code: 'download_failed' })
    expect(await sized(0)).toBe('what it says')
  })

  test.each(['https://evil.example/x', 'http://files.slack.com/x', 'https://slack.com.evil.example/x'])(
    'is not fetched from %s: the token stays with Slack',
    async (url) => {
      await using bench = await openBench()
      const { platform, server } = bench
      await expect(platform.download({ id: `F1 ${url}`, name: 'x', size: 1 })).rejects.toMatchObject({
        code: 'download_failed',
      })
      const remote = await upload(bench)
      server.misbehave.files('redirect', { to: url })
      await expect(platform.download(remote)).rejects.toMatchObject({ code: 'download_failed' })
    },
  )
})
