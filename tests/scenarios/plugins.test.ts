import { describe, expect, test } from 'vitest'
import { Capabilities } from '../../src/turn/hooks/capabilities.ts'
import { HookCaller } from '../../src/turn/hooks/hook-caller.ts'
import type { Capability, HookContext } from '../../src/turn/port/capability.ts'
import type { Services } from '../../src/turn/port/scope.ts'
import { startTestBot, type TestBot } from '../support/bot.ts'
import { ofType } from '../support/client.ts'
import { calls, hang, says, status } from '../support/model-server.ts'
import { eventually } from '../support/until.ts'

type Heard = [hook: string, what: unknown]

/** Hears everything, changes nothing. */
function listener(): Capability & { heard: Heard[]; contexts: HookContext[] } {
  const heard: Heard[] = []
  const contexts: HookContext[] = []
  const hear = (hook: string, what: unknown, context: HookContext) => {
    heard.push([hook, what])
    contexts.push(context)
    return undefined
  }
  return {
    name: 'listener',
    heard,
    contexts,
    promptBuilt: (prompt, context) => hear('promptBuilt', prompt, context) ?? prompt,
    userMessage: (text, context) => hear('userMessage', text, context) ?? text,
    status: (what, context) => hear('status', what, context),
    text: (delta, context) => hear('text', delta, context),
    replyComplete: (reply, context) => hear('replyComplete', reply, context),
    beforeCall: (call, context) => hear('beforeCall', call, context),
    callDone: (call, context) => hear('callDone', call, context),
  }
}

const of = ({ heard }: { heard: Heard[] }, hook: string): unknown[] =>
  heard.flatMap(([name, what]) => (name === hook ? [what] : []))

const sent = (bot: TestBot, request = -1): string[] =>
  (bot.model.requests.at(request)?.messages ?? []).map(({ content }) => `${content}`)

describe('what a plug-in hears', () => {
  test('every hook is called, in the order of what happens', async () => {
    const plugin = listener()
    const bot = await startTestBot({
      plugins: [plugin],
      script: [calls('write_file', { path: 'temp/a.txt', content: 'x' }), says('It is written.')],
    })
    const said = await bot.chat.say('write it', { user: 'ana' })
    expect(said.text).toBe('It is written.')

    const order = plugin.heard.map(([hook]) => hook).filter((hook, place, all) => hook !== all[place - 1])
    expect(order).toEqual([
      'promptBuilt',
      'userMessage',
      'status',
      'beforeCall',
      'callDone',
      'status',
      'text',
      'replyComplete',
    ])
    expect(of(plugin, 'promptBuilt')).toEqual([sent(bot, 0)[0]])
    expect(of(plugin, 'userMessage')).toEqual(['write it'])
    expect(of(plugin, 'status')).toEqual(['thinking', 'acting', 'observing', 'thinking'])
    expect(of(plugin, 'beforeCall')).toEqual([{ tool: 'write_file', input: { path: 'temp/a.txt', content: 'x' } }])
    expect(of(plugin, 'callDone')).toEqual([
      {
        tool: 'write_file',
        input: { path: 'temp/a.txt', content: 'x' },
        status: 'done',
        result: ofType(said.events, 'observe')[0]?.data.result,
      },
    ])
    expect(of(plugin, 'text').join('')).toBe('It is written.')
    expect(of(plugin, 'replyComplete')).toEqual([{ text: 'It is written.', round: 1 }])
    const turn = ofType(said.events, 'start')[0]?.data.turn_id
    for (const context of plugin.contexts) expect(context).toMatchObject({ session: said.conversation, turn })
  })

  test('the prompt is built once for a session', async () => {
    const plugin = listener()
    const bot = await startTestBot({ plugins: [plugin], script: () => says('Hello.') })
    const { conversation } = await bot.chat.say('one')
    await bot.restart()
    await bot.chat.say('two', { conversation })
    expect(of(plugin, 'promptBuilt')).toHaveLength(1)
    expect(of(plugin, 'userMessage')).toEqual(['one', 'two'])
  })

  test('hears of waiting and retrying', async () => {
    const plugin = listener()
    const bot = await startTestBot({
      plugins: [plugin],
      script: [status(503), calls('ask_human', { question: 'Which?' }), says('Thank you.')],
    })
    const { conversation } = await bot.chat.say('go')
    await bot.chat.say('this one', { conversation })
    expect(of(plugin, 'status')).toEqual([
      'thinking',
      'retrying',
      'acting',
      'waiting',
      'acting',
      'observing',
      'thinking',
    ])
  })

  test('hears of a failed call as failed', async () => {
    const plugin = listener()
    const bot = await startTestBot({
      plugins: [plugin],
      script: [calls('read_file', { path: 'uploads/none' }), says('No.')],
    })
    await bot.chat.say('go')
    expect(of(plugin, 'callDone')).toMatchObject([
      { tool: 'read_file', status: 'failed', result: expect.stringMatching(/^Error/) },
    ])
  })
})

describe('what a plug-in changes', () => {
  test('prompt, message and result, one plug-in after the other', async () => {
    const adding = (name: string): Capability => ({
      name,
      promptBuilt: (prompt) => `${prompt} +${name}`,
      userMessage: async (text) => `${text} +${name}`,
      callDone: ({ result }) => `${result} +${name}`,
    })
    const bot = await startTestBot({
      plugins: [adding('first'), adding('second')],
      script: [calls('now', {}), says('Done.')],
    })
    const said = await bot.chat.say('go', { user: 'ana' })
    const [prompt, message, , result] = sent(bot)
    expect(prompt).toMatch(/ \+first \+second$/)
    expect(message).toBe('[ana] go +first +second')
    expect(result).toMatch(/ \+first \+second$/)
    expect(ofType(said.events, 'observe')[0]?.data.result).toMatch(/ \+first \+second$/)
    // What people see is what the person wrote.
    expect(ofType(said.events, 'message')[0]?.data.text).toBe('go')
  })

  test('a result that a plug-in makes long is cut like any other', async () => {
    const bot = await startTestBot({
      plugins: [{ name: 'long', callDone: () => 'x'.repeat(100_000) }],
      script: [calls('now', {}), says('Done.')],
    })
    const said = await bot.chat.say('go')
    expect(Buffer.byteLength(ofType(said.events, 'observe')[0]?.data.result ?? '')).toBeLessThan(52_000)
  })

  test('the model never sees what it redacts, even if the turn was stopped before reading it', async () => {
    const redacting: Capability = { name: 'redacting', userMessage: (text) => text.replaceAll('4711', '****') }
    const bot = await startTestBot({
      plugins: [redacting],
      script: (_, number) => (number === 0 ? hang() : says('Hello.')),
    })
    const first = await bot.chat.send('my number is 4711')
    const conversation = first.headers.get('x-conversation-id') ?? ''
    await eventually(() => expect(bot.model.requests).toHaveLength(1))
    const second = await bot.chat.send('really, 4711', { conversation })
    await bot.chat.post(`/agent/conversations/${conversation}/stop`)
    await Promise.all([first.text(), second.text()])
    await bot.chat.say('hello?', { conversation })
    expect(sent(bot).join('\n')).toContain('my number is ****')
    expect(sent(bot).join('\n')).toContain('really, ****')
    expect(JSON.stringify(bot.model.requests)).not.toContain('4711')
  })

  test('its tools are there, under the same approval as others', async () => {
    const { defineTool } = await import('../../src/domain/tool.ts')
    const { z } = await import('zod')
    const send = defineTool({
      kind: 'run',
      name: 'send_letter',
      description: 'Sends a letter.',
      input: z.strictObject({}),
      effect: 'external',
      run: async () => 'sent',
    })
    const bot = await startTestBot({
      plugins: [{ name: 'post', tools: [send] }],
      script: [calls('send_letter', {}), says('Sent.')],
    })
    await bot.chat.say('go')
    expect(await bot.chat.requests()).toMatchObject([{ kind: 'approval', tool_name: 'send_letter' }])
  })
})

describe('beforeCall', () => {
  test('refuses a call: it does not run, and the model reads why', async () => {
    const heard = listener()
    const strict: Capability = {
      name: 'strict',
      beforeCall({ tool, input }) {
        if (tool === 'write_file') throw new Error(`not today: ${JSON.stringify(input)}`)
      },
    }
    const bot = await startTestBot({
      plugins: [strict, heard],
      script: [calls('write_file', { path: 'outputs/a.txt', content: 'x' }, ['now', {}]), says('I see.')],
    })
    const said = await bot.chat.say('go')
    expect(said.text).toBe('I see.')
    const [refused, done] = ofType(said.events, 'observe')
    expect(refused?.data).toMatchObject({ tool_name: 'write_file', status: 'denied' })
    expect(refused?.data.result).toMatch(/^Error: not today: \{"path":"outputs\/a\.txt"/)
    expect(done?.data).toMatchObject({ tool_name: 'now', status: 'done' })
    expect(ofType(said.events, 'act').map(({ data }) => data.tool_name)).toEqual(['now'])
    expect(of(heard, 'beforeCall')).toEqual([{ tool: 'now', input: {} }])
    expect(await bot.chat.get(`/agent/conversations/${said.conversation}/files`)).toMatchObject({ files: [] })
  })

  test('comes after the person’s approval, not before', async () => {
    const heard = listener()
    const bot = await startTestBot({
      plugins: [heard],
      script: [calls('write_file', { path: 'uploads/a.txt', content: 'new' }), says('Changed.')],
    })
    const said = await bot.chat.say('go', { files: { 'a.txt': 'old' } })
    expect(of(heard, 'beforeCall')).toEqual([])
    const [request] = await bot.chat.requests()
    await bot.chat.answer(request?.id ?? '', { decision: 'approve' })
    await bot.chat.untilType(said.conversation, 'complete')
    expect(of(heard, 'beforeCall')).toHaveLength(1)
  })
})

describe('another round', () => {
  const asking = (limits?: Capability['rounds'], name = 'critic'): Capability & { rounds_: number[] } => {
    const rounds_: number[] = []
    return {
      name,
      rounds_,
      ...(limits && { rounds: limits }),
      replyComplete({ round }) {
        rounds_.push(round)
        return { again: `Look again (${name} ${round}).` }
      },
    }
  }

  test('three times for a message unless it says otherwise; the model reads why, and the thread only the last answer', async () => {
    const critic = asking()
    const bot = await startTestBot({ plugins: [critic], script: (_, number) => says(`Answer ${number + 1}.`) })
    const said = await bot.chat.say('go', { user: 'ana' })
    expect(said.text).toBe('Answer 4.')
    expect(critic.rounds_).toEqual([1, 2, 3])
    expect(sent(bot).slice(1)).toEqual([
      '[ana] go',
      'Answer 1.',
      'Look again (critic 1).',
      'Answer 2.',
      'Look again (critic 2).',
      'Answer 3.',
      'Look again (critic 3).',
    ])
    await bot.chat.until(said.conversation, ({ type, data }) => type === 'message' && data.role === 'assistant')
    const posted = ofType(await bot.chat.events(said.conversation), 'message').filter(
      ({ data }) => data.role === 'assistant',
    )
    expect(posted.map(({ data }) => data.text)).toEqual(['Answer 4.'])

    const next = await bot.chat.say('and again', { conversation: said.conversation })
    expect(next.text).toBe('Answer 8.')
  })

  test('as often as it asks for', async () => {
    const bot = await startTestBot({
      plugins: [asking({ message: 1 })],
      script: (_, number) => says(`Answer ${number + 1}.`),
    })
    expect((await bot.chat.say('go')).text).toBe('Answer 2.')
  })

  test('not at all if it is allowed none', async () => {
    const bot = await startTestBot({
      plugins: [asking({ message: 0 })],
      script: (_, number) => says(`Answer ${number + 1}.`),
    })
    expect((await bot.chat.say('go')).text).toBe('Answer 1.')
  })

  test('once for a message that led to calls, if configured so', async () => {
    const bot = await startTestBot({
      plugins: [asking({ message: 3, withCalls: 1 })],
      script: (_, number) => (number === 0 ? calls('now', {}) : says(`Answer ${number}.`)),
    })
    const said = await bot.chat.say('go')
    expect(said.text).toBe('Answer 2.')
    // The limit is of the message, not of the session.
    expect((await bot.chat.say('without calls', { conversation: said.conversation })).text).toBe('Answer 6.')
  })

  test('each plug-in has its own count', async () => {
    const plugins = [asking({ message: 1 }, 'critic'), asking({ message: 1 }, 'editor')]
    const bot = await startTestBot({ plugins, script: (_, number) => says(`Answer ${number + 1}.`) })
    expect((await bot.chat.say('go')).text).toBe('Answer 3.')
  })

  test('is counted however long ago it was', async () => {
    const critic = asking({ message: 1 })
    const bot = await startTestBot({
      plugins: [critic],
      config: { agent: { windowMessages: 10, maxCallsPerStep: 1 }, sections: { context: { window: 'messages' } } },
      script: (_, number) =>
        number === 0 || number === 15 ? says(`Answer ${number}.`) : calls('find_files', { pattern: `${number}` }),
    })
    const said = await bot.chat.say('go')
    expect(said.text).toBe('Answer 15.')
    expect(critic.rounds_).toEqual([1])
  })

  test('does not outlive the steps of a turn', async () => {
    const bot = await startTestBot({
      plugins: [asking({ message: 1000 })],
      config: { agent: { maxSteps: 5 } },
      script: (_, number) => says(`Answer ${number + 1}.`),
    })
    expect((await bot.chat.say('go')).text).toBe('Answer 6.')
  })

  test('is counted across a restart', async () => {
    const critic = asking({ message: 1 })
    const bot = await startTestBot({
      plugins: [critic],
      script: (_, number) =>
        number === 0 ? says('First.') : number === 1 ? calls('ask_human', { question: 'Which?' }) : says('Second.'),
    })
    const said = await bot.chat.say('go')
    await bot.restart()
    const answered = await bot.chat.say('this', { conversation: said.conversation })
    expect(answered.text).toBe('Second.')
    expect(critic.rounds_).toEqual([1])
  })
})

describe('a plug-in that throws', () => {
  const fail = (): never => {
    throw new Error('broken plug-in')
  }
  const failLater = async (): Promise<never> => fail()

  test.each([
    ['at once', fail],
    ['later', failLater],
  ])('%s: nothing changes for anybody', async (_, hook) => {
    const broken: Capability = {
      name: 'broken',
      found: fail,
      ready: hook,
      names: async () => ['thing'],
      named: hook,
      promptBuilt: hook,
      userMessage: hook,
      status: hook,
      text: hook,
      replyComplete: hook,
      callDone: hook,
    }
    const heard = listener()
    const unhandled: unknown[] = []
    const hear = (thrown: unknown) => unhandled.push(thrown)
    process.on('unhandledRejection', hear)
    const bot = await startTestBot({ plugins: [broken, heard], script: [calls('now', {}), says('All the same.')] })
    const said = await bot.chat.say('go @thing', { user: 'ana' })
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', hear)
    expect(unhandled).toEqual([])
    expect(said.text).toBe('All the same.')
    expect(sent(bot)[0]).toMatch(/^You are Bobbin/)
    expect(sent(bot)[1]).toBe('[ana] go @thing')
    expect(ofType(said.events, 'observe')[0]?.data.status).toBe('done')
    expect(new Set(heard.heard.map(([name]) => name)).size).toBe(7)
  })

  test('when it is asked for its tools is reported once, until it has told them again', async () => {
    let isBroken = true
    const finding: Capability = { name: 'finding', found: () => (isBroken ? fail() : []) }
    const failing: Capability = { name: 'failing', found: fail }
    const reported: string[] = []
    const all = new Capabilities([finding, failing], { sections: {} }, (name, hook) => reported.push(`${name} ${hook}`))
    const find = () => all.found({} as Services)
    const first = find()
    expect(find().every((list, place) => list === first[place])).toBe(true)
    expect(reported).toEqual(['finding found', 'failing found'])
    isBroken = false
    find()
    isBroken = true
    find()
    expect(reported).toEqual(['finding found', 'failing found', 'finding found'])
  })

  test('or hangs until its time is over is named, but not if the turn was stopped', async () => {
    const fine: Capability = { name: 'fine', userMessage: (text) => text }
    const hanging: Capability = { name: 'hanging', userMessage: () => new Promise<never>(() => {}) }
    const reported: string[] = []
    const all = new Capabilities([fine, hanging], { sections: {} }, (name, hook) => reported.push(`${name} ${hook}`))
    const ask = (signal: AbortSignal) => all.hooks.userMessage('hello', { session: 'ses_1', turn: 'turn_1', signal })
    const stopped = new AbortController()
    const asked = ask(stopped.signal)
    stopped.abort()
    await expect(asked).rejects.toThrow('aborted')
    expect(reported).toEqual([])
    await expect(ask(AbortSignal.timeout(1))).rejects.toThrow('timeout')
    expect(reported).toEqual(['hanging userMessage'])
  })

  test('when its section of the prompt has to be shorter has it cut', async () => {
    const long: Capability = {
      name: 'long',
      prompt: () => [{ name: 'Long', text: 'A line of notes.\n'.repeat(2_000), shortened: fail }],
    }
    const bot = await startTestBot({
      plugins: [long],
      script: [says('All the same.')],
      config: { agent: { promptShare: 0.01 } },
    })
    expect((await bot.chat.say('go')).text).toBe('All the same.')
    expect(sent(bot)[0]).toMatch(/# Long\nA line of notes.*\n\[The rest of this section is left out/s)
  })
})

describe('a plug-in that returns the wrong thing', () => {
  test.each<[keyof Capability, unknown]>([
    ['prompt', [{ name: 'Mine', text: undefined }]],
    ['prompt', { name: 'Mine', text: 'It should be in a list.' }],
    ['reminders', [undefined]],
    ['reminders', 5],
    ['names', 5],
    ['implied', 5],
    ['history', null],
    ['history', []],
    ['history', { messages: [] }],
    ['userMessage', 5],
    ['promptBuilt', {}],
    ['callDone', { result: 5 }],
    ['replyComplete', null],
  ])('from its hook %s is reported and changes nothing for anybody: %j', async (hook, said) => {
    const wrong: Capability = { name: 'wrong', [hook]: async () => said }
    const reported: string[] = []
    const caller = new HookCaller([wrong], { sections: {} }, (_, at) => reported.push(at))
    expect(await caller.call(wrong, hook, new AbortController(), () => said)).toBeUndefined()
    expect(reported).toEqual([hook])
    const bot = await startTestBot({
      plugins: [wrong],
      script: [calls('now', {}), says('All the same.')],
      // Otherwise the bot itself chooses the history.
      config: { sections: { context: { window: 'messages' } } },
    })
    expect((await bot.chat.say('go @thing', { user: 'ana' })).text).toBe('All the same.')
    expect(sent(bot)[1]).toBe('[ana] go @thing')
  })
})
