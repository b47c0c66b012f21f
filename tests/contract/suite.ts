import { describe, expect, test } from 'vitest'
import { both, calls, hang, heldUntil, says } from '../support/model-server.ts'
import type { OpenDriver, Seen } from './driver.ts'

const answered = (text: string) => (seen: Seen) => seen.posts.some((post) => post.text === text)
const carded = (seen: Seen) => seen.cards.some(({ outcome }) => outcome === undefined)

const edit = calls('edit_file', { path: 'uploads/notes.md', old_string: 'old', new_string: 'new' })

/** Anybody may decide here; other suites test who may. */
const anyone = { rules: () => ({ deciders: { team: { who: ['anyone'], asker: true, needed: 1 } } }) }

/** What every platform does in the same way. */
export function contractSuite(name: string, open: OpenDriver): void {
  describe(`${name} fulfils the contract`, () => {
    test('a mention is answered in its thread, and the thread goes on', async () => {
      const bot = await open([says('Hello Ana.'), says('And again.')])
      const thread = await bot.mention('ana', 'hello')
      await thread.until(answered('Hello Ana.'))
      await thread.say('ben', 'again')
      const { posts } = await thread.until(answered('And again.'))
      expect(posts.map(({ text }) => text)).toEqual(['Hello Ana.', 'And again.'])
    })

    test('the same message delivered eleven times is answered once', async () => {
      const bot = await open([says('Once.'), says('Twice!')])
      const thread = await bot.mention('ana', 'hello', { copies: 11 })
      await thread.until(answered('Once.'))
      await thread.say('ana', 'more', { copies: 3 })
      const { posts } = await thread.until(answered('Twice!'))
      expect(posts).toHaveLength(2)
      expect(bot.modelCalls()).toBe(2)
    })

    test('files go in and come back with the answer', async () => {
      const bot = await open([
        calls('read_file', { path: 'uploads/a.txt' }),
        calls('write_file', { path: 'outputs/b.txt', content: 'made' }),
        says('Here.'),
      ])
      const thread = await bot.mention('ana', 'copy it', { files: { 'a.txt': 'given' } })
      const { posts } = await thread.until(({ posts }) => posts.some(({ files }) => files.length > 0))
      expect(posts).toEqual([{ text: 'Here.', files: [expect.stringMatching(/(^|\/)b\.txt$/)] }])
      expect(await thread.download('uploads/a.txt')).toBe('given')
      expect(await thread.download('outputs/b.txt')).toBe('made')
    })

    test('a question has its choices, waits across a restart, and shows who answered', async () => {
      const bot = await open([
        calls('ask_human', { question: 'Which?', options: ['Red', 'Blue'] }),
        says('Blue, then.'),
      ])
      const thread = await bot.mention('ana', 'paint')
      const { cards } = await thread.until(carded)
      expect(cards[0]).toMatchObject({
        kind: 'question',
        title: expect.stringContaining('Which?'),
        choices: ['Red', 'Blue'],
      })
      await bot.restart()
      expect(await thread.click('ana', 'Blue')).toBe('taken')
      const seen = await thread.until(answered('Blue, then.'))
      expect(seen.cards[0]?.outcome).toMatch(/Blue.*ana|ana.*Blue/s)
    })

    test('a reply in the thread answers a question too', async () => {
      const bot = await open([calls('ask_decision', { question: 'Now?', options: ['Yes', 'No'] }), says('Later.')])
      const thread = await bot.mention('ana', 'deploy')
      await thread.until(carded)
      await thread.say('ana', 'not before monday')
      const { cards } = await thread.until(answered('Later.'))
      expect(cards[0]?.outcome).toContain('not before monday')
    })

    test('an approval counts once, also with two at the same instant, and the approved call runs', async () => {
      const bot = await open([edit, says('Done.')], anyone)
      const thread = await bot.mention('ana', 'change it', { files: { 'notes.md': 'old' } })
      await thread.until(carded)
      const clicks = await Promise.all([thread.click('ana', 'Approve'), thread.click('ben', 'Approve')])
      expect(clicks.toSorted()).toEqual(['taken', 'too-late'])
      await thread.until(answered('Done.'))
      expect(await thread.download('uploads/notes.md')).toBe('new')
      expect(await thread.click('ben', 'Deny')).toBe('too-late')
    })

    test('a denial changes nothing, and the thread says who', async () => {
      const bot = await open([edit, says('As you wish.')], anyone)
      const thread = await bot.mention('ana', 'change it', { files: { 'notes.md': 'old' } })
      await thread.until(carded)
      await bot.restart()
      expect(await thread.click('ben', 'Deny')).toBe('taken')
      const { cards } = await thread.until(answered('As you wish.'))
      expect(cards[0]?.outcome).toMatch(/ben/)
      expect(await thread.download('uploads/notes.md')).toBe('old')
    })

    test('stop ends a turn, and the next message is answered', async () => {
      const long = hang(8, says('a b c d e f g h i j k l m n o p q r s t u v w x y z'))
      const bot = await open(({ messages }) => (String(messages.at(-1)?.content).includes('hey') ? says('Yes?') : long))
      const thread = await bot.mention('ana', 'talk')
      await thread.stop('ana')
      await thread.say('ana', 'hey')
      const { posts } = await thread.until(answered('Yes?'))
      // The text shown so far stays.
      expect(posts.filter(({ text }) => !text.includes('Stopped.'))).toHaveLength(1)
    })

    test('a question can be answered in one’s own words, and the model gets the reason for a denial', async () => {
      const bot = await open(
        [calls('ask_human', { question: 'Which?', options: ['Red', 'Blue'] }), edit, says('Very well.')],
        anyone,
      )
      const thread = await bot.mention('ana', 'paint', { files: { 'notes.md': 'old' } })
      await thread.until(carded)
      await thread.write('ana', 'a warm grey')
      await thread.until(({ cards }) => cards.some(({ kind, outcome }) => kind === 'approval' && outcome === undefined))
      expect(bot.modelHeard()).toContain('a warm grey')
      await thread.denyBecause('ben', 'it is signed')
      const { cards } = await thread.until(answered('Very well.'))
      expect(cards.map(({ outcome }) => outcome)).toEqual([
        expect.stringContaining('a warm grey'),
        expect.stringContaining('it is signed'),
      ])
      expect(bot.modelHeard()).toContain('it is signed')
      expect(await thread.download('uploads/notes.md')).toBe('old')
    })

    test('several choices are one answer', async () => {
      const options = ['Red', 'Blue', 'Green']
      const bot = await open([calls('ask_human', { question: 'Which?', options, multiple: true }), says('Both.')])
      const thread = await bot.mention('ana', 'paint')
      await thread.until(carded)
      await thread.choose('ana', ['Red', 'Green'])
      const { cards } = await thread.until(answered('Both.'))
      expect(cards[0]?.outcome).toContain('Red, Green')
    })

    test('a session command is answered without the model, once', async () => {
      const bot = await open([says('Hello.')])
      const thread = await bot.mention('ana', 'hello')
      await thread.until(answered('Hello.'))
      await thread.say('ana', '/status', { copies: 3, mention: true })
      const { posts } = await thread.until((seen) => seen.posts.length > 1)
      expect(posts[1]?.text).toMatch(/\b1 turn\b/)
      expect(bot.modelCalls()).toBe(1)
    })

    test('an agent takes a thread and hands it on, and the thread says so', async () => {
      const bot = await open([calls('transfer_to_coder', { why: 'It is code.' }), says('I am the coder.')])
      const thread = await bot.mention('ana', 'Do it, @general.')
      const { posts } = await thread.until(answered('I am the coder.'))
      const texts = posts.map(({ text }) => text.replaceAll('*', '').replaceAll('`', ''))
      expect(texts).toEqual([
        'general has this thread now. agents off gets me back.',
        'general hands this thread to coder: It is code.',
        'I am the coder.',
      ])
    })

    test('a message that arrives during a turn is read at its next step', async () => {
      const isSaid = Promise.withResolvers<void>()
      const bot = await open([
        heldUntil(isSaid.promise, both(says('one two three four five six seven eight nine ten'), calls('now', {}))),
        says('Both.'),
      ])
      const thread = await bot.mention('ana', 'first')
      await expect.poll(() => bot.modelCalls()).toBe(1)
      await thread.say('ana', 'and second')
      await bot.chat?.settled()
      isSaid.resolve()
      await thread.until(answered('Both.'))
      expect(bot.modelHeard()).toContain('and second')
      expect(bot.modelCalls()).toBe(2)
    })

    test('an alarm goes off in its thread, once, also after a restart', async () => {
      const bot = await open([
        // On a busy machine, the answer and the restart take a while.
        calls('alarm_set', { at: 'in 15 seconds', message: 'stretch' }),
        says('Set.'),
        says('Stretch!'),
      ])
      const thread = await bot.mention('ana', 'remind me')
      await thread.until(answered('Set.'))
      await bot.restart()
      const { alarms, posts } = await thread.until(answered('Stretch!'))
      expect(alarms).toHaveLength(1)
      expect(alarms[0]).toContain('stretch')
      expect(posts).toHaveLength(2)
    })
  })
}
