import { expect, test } from 'vitest'
import { openBench, posting, threadOf } from './support.ts'

test.each([{ http: false }, { http: true }])('a mention is heard, and answered in its thread (%o)', async (how) => {
  await using bench = await openBench(how)
  const { server, sink, platform } = bench
  const ts = server.people.mention('ana', 'general', 'hello there')
  await server.idle()
  expect(sink.heard).toMatchObject([
    { text: 'hello there', mentioned: true, person: { name: 'ana' }, timeZone: 'Europe/Berlin', reply: false },
  ])
  const thread = threadOf(server, 'general', ts)
  const [page] = platform.pages({ kind: 'answer', text: 'Good *day*', files: [], record: undefined })
  const id = await platform.post(thread, page, posting('k1'))
  expect(server.view('general', ts)[1]).toMatchObject({ ts: id, bot: true, text: 'Good *day*' })
  expect(platform.health()).toMatchObject({ ok: true })
  expect(server.violations).toEqual([])
})
