import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Failure } from '../../src/kit/failure.ts'
import type { OutgoingFile } from '../../src/platforms/platform.ts'
import { liveOptions } from '../support/live-options.ts'
import { eventually, until } from '../support/until.ts'
import { openRoom, quick } from './room.ts'
import { rawForm } from './server-support.ts'
import { posting } from './stub.ts'

const mb = 1024 * 1024

const file = (name: string, content: Uint8Array | string): OutgoingFile => {
  const bytes = Buffer.from(content)
  return { name, path: `outputs/${name}`, type: 'text/plain', size: bytes.byteLength, bytes: async () => bytes }
}

const answer = (text: string, files: OutgoingFile[]) => ({ kind: 'answer' as const, text, files, record: undefined })

const text = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()

describe('files of people', () => {
  test('several come with a message, each as it was sent', async () => {
    const { mention, platform } = await openRoom()
    const files = [
      { name: 'a.csv', content: 'a,b\n1,2' },
      { name: 'ü b.txt', content: 'grün' },
    ]
    const heard = await mention('ana', 'general', 'look', { files })

    expect(heard.files.map(({ size }) => size)).toEqual([7, 5])
    const contents = await Promise.all(heard.files.map(async (one) => text(await platform.download(one))))
    expect(contents).toEqual(['a,b\n1,2', 'grün'])
  })

  test('one whose address has expired is fetched by a new one', async () => {
    const { mention, platform, discord } = await openRoom({ server: { attachmentLifetimeMs: 500 } })
    const heard = await mention('ana', 'general', 'look', { files: [{ name: 'a.txt', content: 'here' }] })
    const [one] = heard.files as [(typeof heard.files)[0]]
    const { url } = JSON.parse(one.id) as { url: string }
    await until('the end of the address', async () => !(await fetch(url)).ok)

    expect(await text(await platform.download(one))).toBe('here')
    expect(discord.calls.some(({ method, path }) => method === 'GET' && path.endsWith(heard.message))).toBe(true)
  })

  test('one that is deleted meanwhile is gone', async () => {
    const { discord, mention, platform } = await openRoom({ server: { attachmentLifetimeMs: 0 } })
    const heard = await mention('ana', 'general', 'look', { files: [{ name: 'a.txt', content: 'here' }] })
    discord.people.delete(heard.message)

    await expect(platform.download(heard.files[0] as (typeof heard.files)[0])).rejects.toBeInstanceOf(Failure)
  })

  test('a file server that fails briefly is asked again; if it keeps failing, the file is for later', async () => {
    const { discord, mention, platform } = await openRoom()
    const heard = await mention('ana', 'general', 'look', { files: [{ name: 'a.txt', content: 'here' }] })
    const [one] = heard.files as [(typeof heard.files)[0]]
    discord.misbehave.fail({ path: 'a.txt' }, { kind: 'status', status: 503 }, 2)
    expect(await text(await platform.download(one))).toBe('here')

    discord.misbehave.fail({ path: 'a.txt' }, { kind: 'reset' }, 9)
    await expect(platform.download(one)).rejects.toMatchObject({ again: 'later' })
  })

  test('one that breaks off in the middle, or is shorter than Discord said, is for later', async () => {
    const { discord, mention, platform } = await openRoom()
    const heard = await mention('ana', 'general', 'look', { files: [{ name: 'a.txt', content: 'here' }] })
    const [one] = heard.files as [(typeof heard.files)[0]]
    discord.misbehave.fail({ path: 'a.txt' }, { kind: 'cut' })
    await expect(platform.download(one).then(text)).rejects.toMatchObject({ again: 'later' })
    expect(await text(await platform.download(one))).toBe('here')

    const longer = { ...one, id: JSON.stringify({ ...JSON.parse(one.id), size: 5 }) }
    await expect(platform.download(longer).then(text)).rejects.toMatchObject({
      again: 'later',
      message: expect.stringContaining('only 4 of 5'),
    })
  })

  test('one whose new address can’t be asked for now is for later', async () => {
    const { discord, mention, platform } = await openRoom({ server: { attachmentLifetimeMs: 0 } })
    const heard = await mention('ana', 'general', 'look', { files: [{ name: 'a.txt', content: 'here' }] })
    discord.misbehave.fail({ method: 'GET', path: heard.message }, { kind: 'status', status: 503 }, 99)
    await expect(platform.download(heard.files[0] as (typeof heard.files)[0])).rejects.toMatchObject({
      again: 'later',
    })
  })

  test('a web page instead of a file, a wrong size, and an address elsewhere are refused', async () => {
    const { mention, platform } = await openRoom()
    const heard = await mention('ana', 'general', 'look', {
      files: [
        { name: 'a.pdf', content: '<html>log in</html>', contentType: 'text/html' },
        { name: 'b.txt', content: 'here' },
      ],
    })
    const [page, plain] = heard.files as [(typeof heard.files)[0], (typeof heard.files)[0]]
    const as = (one: typeof page, changes: object) => ({
      ...one,
      id: JSON.stringify({ ...JSON.parse(one.id), ...changes }),
    })

    await expect(platform.download(as(page, { type: 'application/pdf' }))).rejects.toMatchObject({
      code: 'file_broken',
    })
    await expect(platform.download(as(plain, { size: 3 })).then(text)).rejects.toThrow(/larger than Discord said/)
    await expect(platform.download(as(plain, { url: 'https://example.com/b.txt' }))).rejects.toThrow(/example\.com/)
    await expect(platform.download(as(plain, { url: 'http://169.254.169.254/' }))).rejects.toThrow(/169\.254/)
  })
})

describe('files of the bot', () => {
  test('come with the last message of the answer, and stay when it is edited', async () => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const pages = platform.pages(answer('Here.', [file('a.txt', 'one'), file('b.txt', 'two')]))
    expect(pages).toHaveLength(1)
    const id = await platform.post(thread, pages[0], posting('answer.0'))
    await platform.edit(thread, id, pages[0])

    expect(discord.view(thread.thread)).toMatchObject([
      {
        content: 'Here.',
        attachments: [
          { name: 'a.txt', content: 'one' },
          { name: 'b.txt', content: 'two' },
        ],
      },
    ])
  })

  test('take as many messages as they need; one that is too large is named', async () => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const many = Array.from({ length: 12 }, (_, index) => file(`small-${index}.txt`, 'x'))
    const large = [1, 2, 3].map((index) => file(`large-${index}.bin`, new Uint8Array(9 * mb)))
    const huge = { ...file('huge.bin', ''), size: 11 * mb }
    const pages = platform.pages(answer('Here.', [...many, ...large, huge]))
    for (const [index, page] of pages.entries()) await platform.post(thread, page, posting(`answer.${index}`))

    const view = discord.view(thread.thread)
    expect(view.map(({ attachments }) => attachments.length)).toEqual([10, 4, 1])
    expect(view[0]?.content).toContain('`huge.bin` is too large for Discord: 11 MB, and 10 MB are allowed.')
  })

  test('one that is gone by then is named, and keeps nothing back', async () => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const gone = { ...file('a.txt', 'one'), bytes: () => Promise.reject(new Failure('no_file', 'it is gone', '')) }
    const [page] = platform.pages(answer('Here.', [gone, file('b.txt', 'two')]))
    await platform.post(thread, page, posting('answer.0'))

    expect(discord.view(thread.thread)).toMatchObject([
      {
        content: expect.stringContaining('Here.\n-# a.txt couldn’t be posted: it is gone.'),
        attachments: [{ name: 'b.txt' }],
      },
    ])
  })

  test.each([
    ['is gone by then', false],
    ['is refused', true],
  ])('one that %s is named below a long answer too, whose code block still ends', async (_, isRefused) => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const gone = { ...file('a.txt', 'one'), bytes: () => Promise.reject(new Failure('no_file', 'it is gone', '')) }
    const long = `\`\`\`js\n${'let a = 1\n'.repeat(198)}\`\`\``
    const [page] = platform.pages(answer(long, [isRefused ? file('a.txt', 'one') : gone]))
    const tooLarge = {
      kind: 'answer',
      status: 413,
      text: '{"message": "Request entity too large", "code": 40005}',
    } as const
    if (isRefused) discord.misbehave.fail({ method: 'POST', path: /messages$/ }, tooLarge)
    await platform.post(thread, page, posting('answer.0'))

    const [shown] = discord.view(thread.thread)
    expect(shown?.content).toMatch(/let a = 1\n```\n…\n-# a\.txt couldn’t be posted: .*\.$/)
    expect(shown?.attachments).toEqual([])
  })

  test('one without a message that says the same is found again after a failure', async () => {
    const room = await openRoom({ server: { nonceMemoryMs: 0 } })
    const { discord, mention } = room
    const { thread } = await mention('ana', 'general', 'hello')
    const [page] = room.platform.pages(answer('', [file('a.txt', 'one')]))
    const how = posting('answer.0')
    await room.platform.post(thread, page, posting('earlier.0'))
    discord.misbehave.fail({ method: 'POST', path: /messages$/ }, { kind: 'reset', stored: true })
    await room.platform.post(thread, page, how).catch(() => {})
    await room.restart()

    expect(await room.platform.find(thread, how.again())).toBe(discord.view(thread.thread)[1]?.id)
  })
})

describe('an upload that takes too long, or breaks off', () => {
  const upload = {
    path: '/messages',
    body: (body: unknown) => (body as { attachments?: unknown[] } | undefined)?.attachments?.length === 1,
  }
  const without = {
    content: expect.stringMatching(/^Here\.\n-# a\.txt .* took too long.* I’ll post it here/),
    attachments: [],
  }
  const brokenOff = {
    content: expect.stringMatching(/^Here\.\n-# a\.txt .* connection broke.* I’ll post it here/),
    attachments: [],
  }

  /** Requests with files have more time than others: here, it passes when the test says so. */
  function uploadLimits() {
    const given: number[] = []
    const limits: AbortController[] = []
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    onTestFinished(() => timeout.mockRestore())
    timeout.mockImplementation((ms) => {
      const limit = new AbortController()
      if (ms > quick.requestMs) {
        given.push(ms)
        limits.push(limit)
      }
      return limit.signal
    })
    const pass = () => {
      for (const limit of limits.splice(0)) limit.abort(new DOMException('It took too long.', 'TimeoutError'))
    }
    const hang = () => {
      pass()
      return new Promise(() => {})
    }
    return { given, pass, hanging: { kind: 'first', run: hang } as const }
  }

  test('is one that a slow connection would have finished', async () => {
    const { given } = uploadLimits()
    const { mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const [page] = platform.pages(answer('Here.', [file('a.bin', new Uint8Array(mb))]))
    await platform.post(thread, page, posting('answer.0'))
    const atOneMegabitMs = (mb * 8) / 1_000
    expect(given).toEqual([quick.requestMs + Math.ceil(atOneMegabitMs)])
  })

  test('keeps no answer back: its files are for later', async () => {
    const { hanging } = uploadLimits()
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const files = [file('a.txt', 'one')]
    const how = posting('answer.0')
    discord.misbehave.fail(upload, hanging, 3)
    const id = await platform.post(thread, platform.pages(answer('Here.', files))[0], how)
    expect(discord.view(thread.thread)).toMatchObject([{ id, ...without }])
    expect(how.postponed).toEqual(['a.txt'])

    await platform.edit(thread, id, platform.pages(answer('Here.', files))[0], how.postpone)
    expect(discord.view(thread.thread)).toMatchObject([{ id, ...without }])
    expect(how.postponed).toEqual(['a.txt'])

    const [later] = platform.pages({ kind: 'files', files })
    await expect(platform.post(thread, later, posting('later.0'))).rejects.toMatchObject({ again: 'repairable' })
    expect(discord.view(thread.thread)).toHaveLength(1)

    await platform.edit(thread, id, platform.pages(answer('Here.', files))[0], how.postpone)
    expect(discord.view(thread.thread)).toMatchObject([{ id, content: 'Here.', attachments: [{ name: 'a.txt' }] }])
    expect(how.postponed).toEqual([])
  })

  test('keeps no later words waiting while its files are posted', async () => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const [began, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const run = () => {
      began.resolve()
      return released.promise
    }
    discord.misbehave.fail(upload, { kind: 'first', run })
    const [later] = platform.pages({ kind: 'files', files: [file('a.txt', 'one')] })
    const uploading = platform.post(thread, later, posting('later.0'))
    await began.promise
    await platform.post(thread, platform.pages(answer('Second.', []))[0], posting('second.0'))
    released.resolve()
    await uploading
    expect(discord.view(thread.thread)).toMatchObject([{ content: 'Second.' }, { attachments: [{ name: 'a.txt' }] }])
  })

  test.each([
    ['is made once more when its connection broke', 1, { content: 'Here.', attachments: [{ name: 'a.txt' }] }, []],
    ['keeps no answer back when its connection breaks again and again', 9, brokenOff, ['a.txt']],
  ])('%s', async (_, times, shown, postponed) => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const how = posting('answer.0')
    const pages = platform.pages(answer('Here.', [file('a.txt', 'one')]))
    discord.misbehave.fail(upload, { kind: 'reset' }, times)
    const id = await platform.post(thread, pages[0], how)
    expect(discord.view(thread.thread)).toMatchObject([{ id, ...shown }])
    expect(how.postponed).toEqual(postponed)
    await platform.edit(thread, id, pages[0], how.postpone)
    expect(discord.view(thread.thread)).toMatchObject([{ id, ...shown }])
  })

  test('that Discord stores only when nobody has found it loses its files to the later message', async () => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const how = posting('answer.0')
    discord.misbehave.fail(upload, { kind: 'reset' }, 2)
    const words = {
      path: '/messages',
      body: (body: unknown) => (body as { attachments?: unknown[] } | undefined)?.attachments?.length === 0,
    }
    const store = () => {
      const { path = '', body } = discord.calls.find((call) => upload.body(call.body)) ?? {}
      return rawForm(discord, path, body, { 'a.txt': new Blob(['one']) })
    }
    discord.misbehave.fail(words, { kind: 'first', run: store })
    const id = await platform.post(thread, platform.pages(answer('Here.', [file('a.txt', 'one')]))[0], how)

    expect(discord.view(thread.thread)).toMatchObject([{ id, ...brokenOff }])
    expect(how.postponed).toEqual(['a.txt'])
  })

  test('whose connection broke at its end isn’t made again', async () => {
    const { discord, mention, platform } = await openRoom({ server: { nonceMemoryMs: 0 } })
    const { thread } = await mention('ana', 'general', 'hello')
    discord.misbehave.fail(upload, { kind: 'reset', stored: true })
    const page = platform.pages(answer('Here.', [file('a.txt', 'one')]))[0]
    const id = await platform.post(thread, page, posting('answer.0'))
    expect(discord.view(thread.thread)).toMatchObject([{ id, content: 'Here.', attachments: [{ name: 'a.txt' }] }])
  })

  test('leaves no live message without its answer', async () => {
    const { hanging } = uploadLimits()
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const how = posting('answer.0')
    const live = platform.live(thread, liveOptions(how, { reader: { id: discord.users.ana ?? '', name: 'ana' } }))
    discord.misbehave.fail(upload, hanging)
    const id = await live.finish(platform.pages(answer('Here.', [file('a.txt', 'one')]))[0])
    expect(discord.view(thread.thread)).toMatchObject([{ id, ...without }])
    expect(how.postponed).toEqual(['a.txt'])
  })

  test('may have come to its end unheard, and then isn’t made again', async () => {
    const limits = uploadLimits()
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const how = posting('answer.0')
    discord.misbehave.fail(upload, { kind: 'hang', stored: true })
    const posted = platform.post(thread, platform.pages(answer('Here.', [file('a.txt', 'one')]))[0], how)
    await eventually(() => expect(discord.view(thread.thread)).toHaveLength(1))
    limits.pass()
    const id = await posted

    expect(discord.view(thread.thread)).toMatchObject([{ id, content: 'Here.', attachments: [{ name: 'a.txt' }] }])
    expect(how.postponed).toEqual([])
  })
})

describe('long answers', () => {
  test('are split between messages, code and tables whole', async () => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const long = `${'Some words. '.repeat(150)}\n\n\`\`\`js\n${'let x = 1\n'.repeat(150)}\`\`\`\n`
    const pages = platform.pages(answer(long, []))
    for (const [index, page] of pages.entries()) await platform.post(thread, page, posting(`answer.${index}`))

    const view = discord.view(thread.thread)
    expect(view.length).toBeGreaterThan(1)
    expect(view.every(({ content }) => content.length <= 2_000)).toBe(true)
    expect(view.every(({ content }) => (content.match(/```/g)?.length ?? 0) % 2 === 0)).toBe(true)
  })

  test('that would take too many messages are attached, with their beginning', async () => {
    const { discord, mention, platform } = await openRoom()
    const { thread } = await mention('ana', 'general', 'hello')
    const long = 'A line of words.\n'.repeat(2_000)
    const pages = platform.pages(answer(long, [file('a.txt', 'one')]))
    for (const [index, page] of pages.entries()) await platform.post(thread, page, posting(`answer.${index}`))

    const [only, ...others] = discord.view(thread.thread)
    expect(others).toEqual([])
    expect(only?.content).toMatch(/^A line of words\.[\s\S]*-# The whole answer is attached\.$/)
    expect(only?.attachments.map(({ name }) => name)).toEqual(['answer.md', 'a.txt'])
    expect(only?.attachments[0]?.content.trim()).toBe(long.trim())
  })

  test('the same saying makes the same pages', async () => {
    const { platform } = await openRoom()
    const long = 'A line of words. 漢字 '.repeat(300)

    expect(JSON.stringify(platform.pages(answer(long, [])))).toBe(JSON.stringify(platform.pages(answer(long, []))))
  })
})
