import { describe, expect, test } from 'vitest'
import { family } from '../delegation/support.ts'
import { both, calls, cutAfter, hang, type ModelScript, pausedAfter, says } from '../support/model-server.ts'
import type { ChatDriver, OpenDriver, OpenOptions, PlatformDriver, Seen } from './driver.ts'

const answered = (text: string) => (seen: Seen) => seen.posts.some((post) => post.text === text)
const carded = (seen: Seen) => seen.cards.some(({ outcome }) => outcome === undefined)
const edit = calls('edit_file', { path: 'uploads/notes.md', old_string: 'old', new_string: 'new' })
const many = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')

type OpenChat = (script: ModelScript, options?: OpenOptions) => Promise<PlatformDriver & { chat: ChatDriver }>

/** What every chat platform does, where people also talk to each other. */
export function chatSuite(name: string, openDriver: OpenDriver): void {
  const open: OpenChat = async (script, options) => {
    const bot = await openDriver(script, options)
    if (bot.chat === undefined) throw new Error(`${name} is no chat platform`)
    return { ...bot, chat: bot.chat }
  }

  describe(`${name} among people`, () => {
    test('messages that aren’t for the bot are ignored, and it can say why', async () => {
      const bot = await open([says('No.')])
      await bot.chat.chatter('ana', 'lunch, anyone?')
      await bot.chat.settled()
      expect(await bot.chat.slash('ben', 'why')).toMatch(/ana.*doesn’t mention/i)
      expect(bot.modelCalls()).toBe(0)
    })

    test('a first mention in a thread reads the earlier messages and their files', async () => {
      const bot = await open([says('I see.'), says('Still.')])
      const root = await bot.chat.chatter('ana', 'the harvest was poor', {
        files: { 'yield.csv': 'year,tons\n2026,3' },
      })
      await bot.chat.below('ben', root, 'rain, mostly')
      await bot.chat.settled()
      const thread = await bot.chat.mentionBelow('ben', root, 'what happened?')
      await thread.until(answered('I see.'))
      expect(bot.modelHeard()).toMatch(/harvest was poor.*rain, mostly.*what happened/s)
      expect(await thread.download('uploads/yield.csv')).toContain('2026,3')
      await thread.say('ana', 'and now?')
      await thread.until(answered('Still.'))
      expect(bot.modelHeard().split('rain, mostly')).toHaveLength(2)
    })

    test('a disguised file is reported to everybody in the thread', async () => {
      const bot = await open([says('Thanks.')])
      const thread = await bot.mention('ana', 'pay this', { files: { 'invoice.pdf': 'MZ\0\0'.padEnd(200, '\0') } })
      await thread.until(answered('Thanks.'))
      await thread.until(({ notices }) => notices.some((notice) => notice.includes('don’t open it')))
    })

    test('a person who may not use the bot gets no answer and cannot decide', async () => {
      const bot = await open([edit, says('Done.')], { access: (idOf) => ({ users: [idOf('ana')] }) })
      await bot.mention('ben', 'hello?')
      await bot.chat.settled()
      expect(bot.modelCalls()).toBe(0)
      const thread = await bot.mention('ana', 'change it', { files: { 'notes.md': 'old' } })
      await thread.until(carded)
      expect(await thread.click('ben', 'Approve')).toBe('not-allowed')
      expect(await thread.click('ana', 'Approve')).toBe('taken')
      await thread.until(answered('Done.'))
    })

    test('a card that somebody deletes is shown again', async () => {
      const bot = await open([edit, says('Done.')])
      const thread = await bot.mention('ana', 'change it', { files: { 'notes.md': 'old' } })
      await thread.until(carded)
      await bot.chat.deleteLatest('ben', thread)
      await bot.chat.settled()
      await thread.until(carded)
      expect(await thread.click('ana', 'Approve')).toBe('taken')
      await thread.until(answered('Done.'))
    })

    test('other bots are ignored, or have a budget', async () => {
      const bot = await open(() => says('Yes.'))
      await bot.chat.botMentions('hello')
      await bot.chat.settled()
      expect(bot.modelCalls()).toBe(0)
    })

    test('a message edited to mention the bot is answered; one that is deleted in time is not', async () => {
      const bot = await open([says('Now I am asked.')])
      const message = await bot.chat.chatter('ana', 'somebody could help')
      await bot.chat.settled()
      await bot.chat.edit('ana', message, '@bot could help')
      await bot.chat.settled()
      await expect.poll(() => bot.modelCalls()).toBe(1)
      expect(bot.modelHeard()).toContain('could help')
    })

    test('direct messages need no mention', async () => {
      const bot = await open([says('Hello Ana.'), says('Just us.')])
      const thread = await bot.chat.direct('ana', 'hi')
      await thread.until(answered('Hello Ana.'))
      await thread.say('ana', 'who is here?')
      await thread.until(answered('Just us.'))
    })

    test('reactions ask for another answer and stop a turn', async () => {
      const script: ModelScript = (_, number) => (number < 2 ? says(`Answer ${number + 1}.`) : hang(20, says(many(60))))
      const bot = await open(script)
      const thread = await bot.mention('ana', 'hello')
      await thread.until(answered('Answer 1.'))
      await bot.chat.react('ben', thread, 'again')
      await thread.until(answered('Answer 2.'))
      await thread.say('ana', 'talk')
      await thread.until(({ progress }) => progress.length > 0)
      await bot.chat.react('ben', thread, 'stop')
      await thread.until(({ progress }) => progress.some((text) => /stopped/i.test(text)))
    })

    test('a reaction to an answer that is not the last one asks for no other', async () => {
      const bot = await open([says('Answer 1.'), says('Answer 2.'), says('Answer 3.')])
      const thread = await bot.mention('ana', 'hello')
      await thread.until(answered('Answer 1.'))
      await thread.say('ben', 'and then?')
      await thread.until(answered('Answer 2.'))
      await bot.chat.react('ana', thread, 'again', 'first')
      await bot.chat.settled()
      await thread.say('ben', 'what else?')
      await thread.until(answered('Answer 3.'))
      expect(bot.modelHeard()).toContain('what else?')
      expect(bot.modelHeard()).not.toContain('answer the last message again')
    })

    test('a long turn shows its progress in the message that becomes the answer', async () => {
      const text = many(40)
      const isSeen = Promise.withResolvers<void>()
      const script = [calls('now', {}), pausedAfter(20, isSeen.promise, says(text))]
      const bot = await open(script, { show: { firstMs: 100, everyMs: 500 } })
      const thread = await bot.mention('ana', 'talk')
      await thread.until(({ progress }) => progress.some((shown) => shown.includes('word3')))
      isSeen.resolve()
      const { posts, progress } = await thread.until(answered(text))
      expect(posts).toHaveLength(1)
      expect(progress).toEqual([])
    })

    test('what a subagent does is part of the live message, and its card is decided in the thread', async () => {
      const isSeen = Promise.withResolvers<void>()
      const child = [calls('now', {}), pausedAfter(0, isSeen.promise, both(says(many(20)), edit)), says(many(60))]
      const bot = await open(family([calls('delegate_task', { task: 'part 1' }), says('Put together.')], child), {
        show: { firstMs: 100, everyMs: 500 },
      })
      const thread = await bot.mention('ana', 'change it', { files: { 'notes.md': 'old' } })
      await thread.until(({ progress }) =>
        progress.some((shown) => /subagent-[0-9a-f]{8}: Checking the time/.test(shown)),
      )
      isSeen.resolve()
      await thread.until(carded)
      expect(await thread.cardText({})).toMatch(/subagent-[0-9a-f]{8} asks/)
      expect(await thread.click('ana', 'Approve')).toBe('taken')
      const { posts } = await thread.until(answered('Put together.'))
      expect(posts.filter(({ text }) => text === 'Put together.' || text.includes('word'))).toHaveLength(1)
      expect(await thread.download('uploads/notes.md')).toBe('new')
    })

    test('a restart in the middle of an answer leaves one answer', async () => {
      const text = many(40)
      const script: ModelScript = (_, number) => (number === 0 ? hang(20, says(text)) : says('Shorter.'))
      const bot = await open(script, { show: { firstMs: 50, everyMs: 500 } })
      const thread = await bot.mention('ana', 'talk')
      await thread.until(({ progress }) => progress.length > 0)
      await bot.restart()
      const { posts } = await thread.until(answered('Shorter.'))
      expect(posts).toHaveLength(1)
      const { progress } = await thread.see()
      expect(progress).toEqual([])
    })

    test.each(['in the same life', 'after a restart'])(
      'what broke off and does not count is taken away, %s',
      async (when) => {
        const isSeen = Promise.withResolvers<void>()
        const broken = cutAfter(30, pausedAfter(20, isSeen.promise, says(many(40))))
        const half = when === 'in the same life' ? broken : hang(20, says(many(40)))
        const bot = await open([half, edit, says('Done.')], { show: { firstMs: 50, everyMs: 200 } })
        const thread = await bot.mention('ana', 'change it', { files: { 'notes.md': 'old' } })
        await thread.until(({ progress }) => progress.some((shown) => shown.includes('word3')))
        isSeen.resolve()
        if (when === 'after a restart') await bot.restart()
        await thread.until(carded)
        await thread.until(({ posts, progress }) => posts.length === 0 && progress.length === 0)
        await thread.click('ana', 'Approve')
        const { posts } = await thread.until(answered('Done.'))
        expect(posts).toHaveLength(1)
        expect(bot.chat.violations()).toEqual([])
      },
    )

    test('an answer that could not be posted comes once the bot is allowed, and the person waiting is told privately, once', async () => {
      const bot: Awaited<ReturnType<OpenChat>> = await open((_, number) => {
        if (number === 0) bot.chat.shutOut()
        return says(number === 0 ? 'Here it is.' : 'And more.')
      })
      const thread = await bot.mention('ana', 'where is it?')
      const told = () => bot.chat.toldAlone('ana')
      await expect.poll(told).toHaveLength(1)
      expect(told()[0]).toMatch(/couldn’t post my answer in .*this thread.* because (I’m not|I lack).*I’ll post it/s)
      await bot.restart()
      bot.chat.letIn()
      await thread.until(answered('Here it is.'))
      await thread.say('ana', 'thanks, more?')
      const { posts } = await thread.until(answered('And more.'))
      expect(posts.map(({ text }) => text)).toEqual(['Here it is.', 'And more.'])
      expect(told()).toHaveLength(1)
      expect(bot.chat.violations()).toEqual([])
    })

    test('a card that could not be posted comes once the bot is allowed, and can be answered then', async () => {
      const bot: Awaited<ReturnType<OpenChat>> = await open((_, number) => {
        if (number === 0) bot.chat.shutOut()
        return number === 0 ? calls('ask_human', { question: 'Delete it?' }) : says('Kept.')
      })
      const thread = await bot.mention('ana', 'clean up')
      await expect.poll(() => bot.chat.toldAlone('ana')).toHaveLength(1)
      bot.chat.letIn()
      await thread.until(carded)
      await thread.say('ana', 'no')
      const { cards } = await thread.until(answered('Kept.'))
      expect(cards).toMatchObject([{ outcome: expect.stringContaining('no') }])
    })

    test('a long answer arrives complete, in a few messages or as a file', async () => {
      const lines = Array.from({ length: 1200 }, (_, index) => `- item ${index} of the list, with some words to it`)
      const medium = `# Some\n\n${lines.slice(0, 60).join('\n')}`
      const long = `# All\n\n${lines.join('\n')}`
      const bot = await open([says(medium), says(long)])
      const thread = await bot.mention('ana', 'tell me some')
      const first = await thread.until(({ posts }) => posts.some(({ text }) => text.includes('item 59 of')))
      expect(first.posts.map(({ text }) => text).join('\n')).toContain('item 0 of')
      await thread.say('ana', 'all')
      const second = await thread.until(({ posts }) => posts.some(({ files }) => files.length > 0))
      expect(second.posts.flatMap(({ files }) => files)).toEqual([expect.stringMatching(/\.md$/)])
    })

    test('the model’s text pings nobody', async () => {
      const ping = (id: string) => `Hey <!channel> <!here> @everyone @here <@${id}> <@!${id}> <!subteam^S1>`
      const bot: Awaited<ReturnType<OpenChat>> = await open(() => says(ping(bot.chat.idOf('ana'))))
      const thread = await bot.mention('ana', 'ping all')
      await thread.until(({ posts }) => posts.length > 0)
      expect(bot.chat.pings()).toBe(0)
    })

    test('two people at once in two threads are both answered, each in their own', async () => {
      const bot = await open(({ messages }) =>
        says(String(messages.at(-1)?.content).includes('left') ? 'Left.' : 'Right.'),
      )
      const [left, right] = await Promise.all([bot.mention('ana', 'left'), bot.mention('ben', 'right')])
      expect((await left.until(({ posts }) => posts.length > 0)).posts[0]?.text).toBe('Left.')
      expect((await right.until(({ posts }) => posts.length > 0)).posts[0]?.text).toBe('Right.')
    })

    test('a slash command answers only the person who used it', async () => {
      const bot = await open([])
      expect(await bot.chat.slash('ana', 'help')).toContain('status')
      expect(await bot.chat.slash('ana', 'list')).toContain('no threads')
    })
  })
}
