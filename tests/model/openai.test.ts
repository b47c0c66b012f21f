import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { ModelFailure, type ModelMessage, type ModelPatience, type ModelSlot } from '../../src/kit/model/model.ts'
import { assembly } from '../../src/model/assemble.ts'
import { openaiModel, settingsOf } from '../../src/model/openai.ts'
import { allOf, asking, patienceWith, slotAt } from '../support/model-client.ts'
import {
  both,
  calls,
  callsRaw,
  cutAfter,
  endless,
  hang,
  heldUntil,
  type ModelScript,
  type ModelServer,
  manyCalls,
  raw,
  says,
  slowly,
  startModelServer,
  status,
  thinks,
} from '../support/model-server.ts'

let server: ModelServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

async function modelFor(script: ModelScript, slot: Partial<ModelSlot> = {}, patience: Partial<ModelPatience> = {}) {
  server = await startModelServer(script, { key: 'sk-test-0123456789abcdef' })
  return { model: openaiModel(slotAt(server.url, slot), patienceWith(patience)), server }
}

async function failureFrom(script: ModelScript, slot: Partial<ModelSlot> = {}, patience: Partial<ModelPatience> = {}) {
  const { model } = await modelFor(script, slot, patience)
  const failure = await allOf(model.stream(asking('hi'))).catch((thrown: unknown) => thrown)
  if (!(failure instanceof ModelFailure)) throw new Error('no ModelFailure', { cause: failure })
  return failure
}

const delta = (said: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta: said, finish_reason: finish }],
})

describe('what is sent', () => {
  const history: ModelMessage[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'look \ud800' },
    {
      role: 'assistant',
      content: '',
      calls: [
        { id: 'call_1', name: 'now', arguments: '' },
        { id: 'call_2', name: 'read_file', arguments: '{"path": ' },
      ],
    },
    { role: 'tool', call: 'call_1', content: 'noon' },
    { role: 'tool', call: 'call_2', content: 'bad arguments' },
  ]

  test('a conversation with calls passes a strict endpoint, broken arguments wrapped', async () => {
    const { model, server } = await modelFor([says('ok')])
    await allOf(model.stream(asking('', { messages: history })))

    expect(server.violations).toEqual([])
    expect(server.requests[0]?.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'look \ufffd' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'now', arguments: '{}' } },
          {
            id: 'call_2',
            type: 'function',
            function: { name: 'read_file', arguments: '{"invalid_arguments":"{\\"path\\": "}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
      { role: 'tool', tool_call_id: 'call_2', content: 'bad arguments' },
    ])
  })

  test('images come after the text of their message', async () => {
    const { model, server } = await modelFor([says('ok')])
    const base64 = Buffer.from('GIF89a').toString('base64')
    const messages: ModelMessage[] = [
      { role: 'user', content: 'before', images: [] },
      { role: 'user', content: 'look \ud800', images: [{ type: 'image/gif', base64 }] },
    ]
    await allOf(model.stream(asking('', { messages })))
    expect(server.requests[0]?.messages).toEqual([
      { role: 'user', content: 'before' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look \ufffd' },
          { type: 'image_url', image_url: { url: `data:image/gif;base64,${base64}` } },
        ],
      },
    ])
  })

  test('the slot decides model, temperature and limit; tools go along, an empty list does not', async () => {
    const { model, server } = await modelFor([says('ok'), says('ok')], {
      id: 'gpt-x',
      temperature: 0.2,
      outputLimit: 99,
    })
    const tool = { name: 'now', description: 'the time', parameters: { type: 'object', properties: {} } }
    await allOf(model.stream(asking('hi', { tools: [tool] })))
    await allOf(model.stream(asking('hi')))

    expect(server.requests[0]).toMatchObject({
      model: 'gpt-x',
      temperature: 0.2,
      max_tokens: 99,
      tools: [{ type: 'function', function: tool }],
    })
    expect(server.requests[1]).not.toHaveProperty('tools')
  })

  test.each([
    ['all of it, if the context has room for it', 400_000, 128_000, 200_000, undefined, 128_000],
    ['no more than the context has left', 100_000, 100_000, 200_000, undefined, 34_984],
    ['what is reserved for it, if the context is full', 60_000, 60_000, 200_000, undefined, 8_192],
    ['no more than was asked for', 100_000, 100_000, 200_000, 1_000, 1_000],
  ])('a reply may have %s', async (_, contextLimit, outputLimit, characters, wanted, most) => {
    const { model, server } = await modelFor([says('ok')], { contextLimit, outputLimit })
    const sampling = wanted === undefined ? {} : { outputLimit: wanted }
    await allOf(model.stream(asking('x'.repeat(characters), { sampling })))
    expect(server.requests[0]).toMatchObject({ max_tokens: most })
  })

  test('a parameter that the endpoint does not take is left out at once, and from then on', async () => {
    const { model, server } = await modelFor((body) => {
      if ('max_tokens' in body) {
        return status(400, {
          code: 'unsupported_parameter',
          param: 'max_tokens',
          message: "Use 'max_completion_tokens'.",
        })
      }
      if ('temperature' in body)
        return status(400, { message: "Unsupported value: 'temperature' does not support 0.7." })
      return says('ok')
    })
    await allOf(model.stream(asking('hi')))
    await allOf(model.stream(asking('hi')))

    expect(server.requests).toHaveLength(4)
    expect(server.requests[3]).toMatchObject({ max_completion_tokens: 4_096 })
    expect(server.requests[3]).not.toHaveProperty('temperature')
  })

  // What Mistral, a plain FastAPI server, and Kimi say.
  const mistralDetail = [
    { type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' },
  ]
  test.each([
    ['stream_options', 422, { object: 'error', message: { detail: mistralDetail }, param: null, code: null }],
    ['stream_options', 422, { detail: mistralDetail }],
    ['temperature', 400, { error: { message: 'invalid temperature: only 1 is allowed for this model' } }],
  ])('%s refused with %i is left out', async (name, code, body) => {
    const { model, server } = await modelFor((asked) =>
      name in asked ? { status: { code, headers: {}, body } } : says('ok'),
    )
    await allOf(model.stream(asking('hi')))
    await allOf(model.stream(asking('hi')))
    expect(server.requests.map((asked) => name in asked)).toEqual([true, false, false])
  })

  test.each([
    ["litellm.UnsupportedParamsError: bedrock doesn't support tool_choice=none.", ['tools', 'tool_choice'], ['tools']],
    ['gemma:latest does not support tools', ['tools', 'tool_choice'], []],
  ])('where no calls are wanted, %s', async (message, first, then) => {
    const tools = [{ name: 'now', description: 'the time', parameters: { type: 'object', properties: {} } }]
    const { model, server } = await modelFor((_, number) => (number === 0 ? status(400, { message }) : says('ok')))
    await allOf(model.stream(asking('hi', { tools, mayCall: false })))
    const sent = server.requests.map((body) => ['tools', 'tool_choice'].filter((name) => name in body))
    expect(sent).toEqual([first, then])
  })

  describe('where tools are taken only without thinking', () => {
    const tools = [{ name: 'now', description: 'the time', parameters: { type: 'object', properties: {} } }]
    const message = 'Function tools with reasoning_effort are not supported for gpt-x in /v1/chat/completions.'
    const refused = (remedy: string) => status(400, { message: `${message} ${remedy}`, param: 'reasoning_effort' })

    // What OpenAI says of gpt-5.6 and of gpt-5.5.
    test.each([
      "To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
      'Please use /v1/responses instead.',
    ])('the model is told not to think when tools go along: %s', async (remedy) => {
      const { model, server } = await modelFor((body) =>
        'tools' in body && body.reasoning_effort !== 'none' ? refused(remedy) : says('ok'),
      )
      await Promise.all([1, 2].map(() => allOf(model.stream(asking('hi', { tools })))))
      await allOf(model.stream(asking('hi', { tools, mayCall: false })))
      await allOf(model.stream(asking('hi')))
      const sent = server.requests.map((body) => [body.reasoning_effort, 'tools' in body])
      const none = ['none', true]
      expect(sent).toEqual([[undefined, true], [undefined, true], none, none, none, [undefined, false]])
    })

    const unknown = "Unsupported value: 'reasoning_effort' does not support 'none' with this model."
    const refusesNone = [
      ['is the same to it', refused('Please use /v1/responses instead.')],
      ["isn't known to it", status(400, { message: unknown, param: 'reasoning_effort' })],
    ] as const

    test.each(refusesNone)('where no calls are wanted, the tools are left out if that %s', async (_, answer) => {
      const { model, server } = await modelFor((body) => {
        if (!('tools' in body)) return says('ok')
        return 'reasoning_effort' in body ? answer : refused('Please use /v1/responses instead.')
      })
      await allOf(model.stream(asking('hi', { tools, mayCall: false })))
      const sent = server.requests.map((body) => [body.reasoning_effort, 'tools' in body])
      expect(sent).toEqual([
        [undefined, true],
        ['none', true],
        [undefined, true],
        [undefined, false],
      ])
    })

    test.each(refusesNone)('it is told so only once if that %s', async (_, answer) => {
      const { model, server } = await modelFor((body) =>
        'reasoning_effort' in body ? answer : refused('Please use /v1/responses instead.'),
      )
      for (let again = 0; again < 2; again++) {
        const asked = allOf(model.stream(asking('hi', { tools })))
        await expect(asked).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining(message) })
      }
      const sent = server.requests.map((body) => body.reasoning_effort)
      expect(sent).toEqual([undefined, 'none', undefined, undefined])
    })
  })

  test('a model that calls tools although it is told not to is asked again without them', async () => {
    const tools = [{ name: 'now', description: 'the time', parameters: { type: 'object', properties: {} } }]
    const { model, server } = await modelFor((body) => ('tools' in body ? calls('now', {}) : says('ok')))
    const last = asking('hi', { tools, mayCall: false })
    await expect(allOf(model.stream(last))).rejects.toMatchObject({ code: 'empty', retry: true })
    for (let again = 0; again < 2; again++)
      expect(await allOf(model.stream(last))).toContainEqual({ kind: 'text', text: 'ok' })
    expect(server.requests.map((body) => 'tools' in body)).toEqual([true, false, false])
    await allOf(model.stream(asking('hi', { tools })))
    expect(server.requests.at(-1)).toHaveProperty('tools')
  })

  test.each([
    ["Invalid schema for function 'theirs': In context=('properties', 'a'), array schema missing items.", 400],
    ['tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12', 400],
    ['* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[a].items: missing field.', 400],
    ['{"detail":[{"type":"literal_error","loc":["body","tools",1,"function","parameters","type"]}]}', 422],
    ["1 validation error: ('body', 'tools', 1, 'function', 'parameters'): Input should be a valid dictionary", 422],
  ])(
    'a tool of an MCP server that an endpoint refuses is left out until it is another one: %s',
    async (message, code) => {
      const tool = (name: string, described: object = {}) => ({
        ...{ name, description: '', parameters: { type: 'object', properties: {} }, ...described },
      })
      const tools = [tool('own'), tool('theirs', { server: 'x' }), tool('also', { server: 'x' })]
      const server = await startModelServer((body) =>
        body.tools?.some((one) => one.function.name === 'theirs' && one.function.description === '')
          ? status(code, { message })
          : says('ok'),
      )
      onTestFinished(() => server.close())
      const told: string[] = []
      const leftOut = ({ name }: { name: string }, why: string) => void told.push(`${name}: ${why}`)
      const model = openaiModel(slotAt(server.url), patienceWith(), settingsOf('base'), leftOut)
      await allOf(model.stream(asking('hi', { tools })))
      await allOf(model.stream(asking('hi', { tools })))
      const mended = tool('theirs', { server: 'x', description: 'Mended.' })
      await allOf(model.stream(asking('hi', { tools: tools.map((one) => (one.name === 'theirs' ? mended : one)) })))
      const sent = server.requests.map((body) => body.tools?.map((one) => one.function.name).join(' '))
      expect(sent).toEqual(['own theirs also', 'own also', 'own also', 'own theirs also'])
      expect(told).toEqual([expect.stringMatching(/^theirs: /)])
    },
  )

  const quoting = (input: string) => ({ detail: [{ loc: ['body', 'messages', 0, 'user', 'content'], input }] })
  test.each([
    [
      'the model called it wrongly',
      {
        error: { code: 'tool_use_failed', message: 'parameters for tool theirs did not match schema: errors: [`/a`]' },
      },
    ],
    ['the endpoint quotes what people said', quoting('my tools, 1 of them is broken')],
    ['the endpoint quotes a list of theirs', quoting('tools: 1')],
  ])('a tool of an MCP server is not left out because %s', async (_, said) => {
    const one = { description: '', parameters: { type: 'object', properties: {} }, server: 'x' }
    const tools = ['also', 'theirs'].map((name) => ({ ...one, name }))
    const { model, server } = await modelFor(() => ({ status: { code: 400, headers: {}, body: said } }))
    await expect(allOf(model.stream(asking('hi', { tools })))).rejects.toMatchObject({ code: 'refused' })
    expect(server.requests).toHaveLength(1)
  })

  test('a tool of an MCP server is not left out because of a request without tools', async () => {
    const tools = [{ name: 'theirs', description: '', parameters: { type: 'object', properties: {} }, server: 'x' }]
    const script: ModelScript = (body, number) => {
      if ('tools' in body && number === 0) return status(400, { message: 'gemma:latest does not support tools' })
      return 'tools' in body ? says('ok') : status(400, { message: 'tools.0.name: theirs' })
    }
    const { model, server } = await modelFor(script)
    const last = asking('hi', { tools, mayCall: false })
    await expect(allOf(model.stream(last))).rejects.toMatchObject({ code: 'refused' })
    await allOf(model.stream(asking('hi', { tools })))
    expect(server.requests.map((body) => body.tools?.length ?? 0)).toEqual([1, 0, 1])
  })

  test('a tool of our own that an endpoint refuses is not left out', async () => {
    const tools = [{ name: 'own', description: '', parameters: { type: 'object', properties: {} } }]
    const { model, server } = await modelFor(() => status(400, { message: "Invalid schema for function 'own'." }))
    await expect(allOf(model.stream(asking('hi', { tools })))).rejects.toMatchObject({ code: 'refused' })
    expect(server.requests).toHaveLength(1)
  })

  test('where roles must alternate, messages of one side become one, in their order and with their images', async () => {
    const alternate = 'Conversation roles must alternate user/assistant/user/assistant/...'
    const { model, server } = await modelFor((_, number) =>
      number === 0 ? status(400, { message: alternate }) : says('ok'),
    )
    const image = (base64: string) => ({ type: 'image/png' as const, base64 })
    const [first, second] = ['first', 'second'].map((word) =>
      Buffer.from(`\x89PNG${word}`, 'latin1').toString('base64'),
    )
    const messages: ModelMessage[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'assistant', content: 'Good morning.', calls: [] },
      { role: 'assistant', content: 'Anything to do?', calls: [] },
      { role: 'user', content: 'this', images: [image(first ?? '')] },
      { role: 'user', content: 'and this', images: [image(second ?? '')] },
      { role: 'user', content: 'please' },
      { role: 'assistant', content: 'I look.', calls: [] },
      { role: 'assistant', content: '', calls: [{ id: 'call_1', name: 'now', arguments: '{}' }] },
      { role: 'tool', call: 'call_1', content: 'noon' },
      { role: 'user', content: 'well?' },
    ]
    await allOf(model.stream({ ...asking('hi'), messages }))
    await allOf(model.stream({ ...asking('hi'), messages }))
    expect(server.requests).toHaveLength(3)
    expect(server.requests[2]?.messages).toMatchObject([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '[The program] The thread continues here.' },
      { role: 'assistant', content: 'Good morning.\n\nAnything to do?' },
      {
        role: 'user',
        content: [
          { text: 'this\n\nand this\n\nplease' },
          { image_url: { url: `data:image/png;base64,${first}` } },
          { image_url: { url: `data:image/png;base64,${second}` } },
        ],
      },
      { role: 'assistant', content: 'I look.', tool_calls: [{ function: { name: 'now' } }] },
      { role: 'tool', content: 'noon' },
      { role: 'assistant', content: 'OK.' },
      { role: 'user', content: 'well?' },
    ])
  })

  test('an endpoint that keeps insisting on alternating roles is asked twice, not forever', async () => {
    const failure = await failureFrom(() => status(500, { message: 'Jinja Exception: roles must alternate' }))
    expect(failure.code).toBe('unavailable')
    expect(server?.requests).toHaveLength(2)
  })

  test('an endpoint that refuses reasoning and quotes it gets none, whatever it says', async () => {
    const thought = 'The file is missing, so a path is required.'
    const strict: ModelScript = (body) =>
      JSON.stringify(body.messages).includes('reasoning_content')
        ? status(422, {
            message: `[{"type":"extra_forbidden","loc":["body","messages",1,"assistant","reasoning_content"],"msg":"Extra inputs are not permitted","input":"${thought}"}]`,
          })
        : says('ok')
    server = await startModelServer(strict, { foreign: true })
    const model = openaiModel(slotAt(server.url), patienceWith())
    const messages = history.map((one) => (one.role === 'assistant' ? { ...one, thought } : one))
    await allOf(model.stream(asking('', { messages })))
    expect(server.requests).toHaveLength(2)
  })

  test('an endpoint that wants no reasoning and misses it in the next breath is not asked for ever', async () => {
    const strict: ModelScript = (body) =>
      JSON.stringify(body.messages).includes('reasoning_content')
        ? status(422, { message: 'reasoning_content: Extra inputs are not permitted' })
        : status(400, { message: 'reasoning_content is missing' })
    server = await startModelServer(strict, { foreign: true })
    const model = openaiModel(slotAt(server.url), patienceWith())
    const failure = await allOf(model.stream(asking('', { messages: history }))).catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({ code: 'refused' })
    expect(server.requests).toHaveLength(3)
  })

  test('first requests at the same time all learn what the model rejects', async () => {
    const { model } = await modelFor((body) =>
      'temperature' in body
        ? status(400, { message: "Unsupported value: 'temperature' does not support 0.7." })
        : says('ok'),
    )
    const asked = await Promise.allSettled([1, 2, 3].map(() => allOf(model.stream(asking('hi')))))
    expect(asked.map((one) => one.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  })
})

describe('what comes back', () => {
  test('reasoning, text, calls in pieces, and the usage', async () => {
    const reply = both(thinks('let me', says('Hello there')), calls('read_file', { path: 'a' }, ['now', {}]))
    const { model } = await modelFor([{ ...reply, usage: { input: 12, output: 3, cached: 8 } }])
    const chunks = await allOf(model.stream(asking('hi')))

    expect(chunks).toEqual([
      { kind: 'thought', text: 'let', wanted: true },
      { kind: 'thought', text: ' me', wanted: true },
      { kind: 'text', text: 'Hello' },
      { kind: 'text', text: ' there' },
      { kind: 'call', index: 0, name: 'read_file', arguments: '' },
      { kind: 'call', index: 0, arguments: '{"path' },
      { kind: 'call', index: 0, arguments: '":"a"}' },
      { kind: 'call', index: 1, name: 'now', arguments: '' },
      { kind: 'call', index: 1, arguments: '{' },
      { kind: 'call', index: 1, arguments: '}' },
      { kind: 'end', finish: 'calls', usage: { input: 12, output: 3, cached: 8 } },
    ])
  })

  const done = { ...delta({ content: 'ok' }, 'stop'), usage: null }
  const counted = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  test.each([
    ['as OpenAI counts', [counted], { input: 10, output: 5, cached: 0 }],
    [
      'reasoning only in the total, as xAI and Gemini count',
      [{ ...counted, total_tokens: 315, completion_tokens_details: { reasoning_tokens: 300 } }],
      { input: 10, output: 305, cached: 0, reasoning: 300 },
    ],
    ['a total below its parts', [{ ...counted, total_tokens: 3 }], { input: 10, output: 5, cached: 0 }],
    ['a total that can’t be', [{ ...counted, total_tokens: 9e15 }], { input: 10, output: 5, cached: 0 }],
    [
      'the cache within the prompt',
      [{ ...counted, cache_read_input_tokens: 6, cache_creation_input_tokens: 3 }],
      { input: 10, output: 5, cached: 6, written: 3 },
    ],
    [
      'the cache besides the prompt, as Anthropic counts',
      [{ ...counted, cache_read_input_tokens: 50_000, cache_creation_input_tokens: 2_000 }],
      { input: 52_010, output: 5, cached: 50_000, written: 2_000 },
    ],
    [
      'the cache besides the prompt and within the total',
      [{ ...counted, total_tokens: 23, cache_read_input_tokens: 6, cache_creation_input_tokens: 2 }],
      { input: 18, output: 5, cached: 6, written: 2 },
    ],
    [
      'a cache that can’t be',
      [{ ...counted, prompt_tokens_details: { cached_tokens: 11 } }],
      { input: 10, output: 5, cached: 10 },
    ],
    ['nothing', [{}], undefined],
    ['under other names', [{ input_tokens: 10, output_tokens: 5, total_tokens: 15 }], undefined],
    ['nothing after all', [counted, { prompt_tokens: 0, completion_tokens: 0 }], { input: 10, output: 5, cached: 0 }],
    ['more and more', [{ ...counted, completion_tokens: 1 }, counted], { input: 10, output: 5, cached: 0 }],
  ])('the usage counts %s', async (_, usages, usage) => {
    const { model } = await modelFor([raw(done, ...usages.map((one) => ({ choices: [], usage: one })))])
    const end = { kind: 'end', finish: 'stop', ...(usage && { usage }) }
    expect((await allOf(model.stream(asking('hi')))).at(-1)).toEqual(end)
  })

  test.each([
    ['length', 'length'],
    ['content_filter', 'filter'],
    ['stop', 'stop'],
    ['eos', 'stop'],
  ])('finish %s is %s', async (word, finish) => {
    const { model } = await modelFor([{ ...says('so'), finish: word }])
    expect((await allOf(model.stream(asking('hi')))).at(-1)).toMatchObject({ kind: 'end', finish })
  })

  test('calls count as calls although the server says stop', async () => {
    const { model } = await modelFor([{ ...calls('now', {}), finish: 'stop' }])
    expect((await allOf(model.stream(asking('hi')))).at(-1)).toMatchObject({ finish: 'calls' })
  })

  test('arguments that are no JSON arrive as they are', async () => {
    const { model } = await modelFor([callsRaw('now', '{"a":')])
    const pieces = (await allOf(model.stream(asking('hi')))).filter((chunk) => chunk.kind === 'call')
    expect(pieces.map((piece) => piece.arguments).join('')).toBe('{"a":')
  })

  test('content in parts, and a reply whole in `message`', async () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'so' },
    ]
    const whole = { choices: [{ message: { content: ' it is' }, finish_reason: 'stop' }] }
    const { model } = await modelFor([raw(delta({ content: parts }), whole)])
    expect(await allOf(model.stream(asking('hi')))).toEqual([
      { kind: 'thought', text: 'hm' },
      { kind: 'text', text: 'so' },
      { kind: 'text', text: ' it is' },
      { kind: 'end', finish: 'stop' },
    ])
  })

  test('a connection that breaks after the finish reason has lost nothing', async () => {
    const { model } = await modelFor([raw(delta({ content: 'ok' }, 'stop'), '{"broken')])
    expect((await allOf(model.stream(asking('hi')))).at(-1)).toEqual({ kind: 'end', finish: 'stop' })
  })

  test('a connection is used again, although the response ends a moment after the reply', async () => {
    const asked = 10
    let connections = 0
    const over: Promise<unknown>[] = []
    const late = createServer((request, response) => {
      over.push(once(response, 'close'))
      response.write(`data: ${JSON.stringify(delta({ content: 'ok' }, 'stop'))}\n\ndata: [DONE]\n\n`)
      request.resume().on('end', () => setTimeout(() => response.end(), 10))
    })
    late.on('connection', () => connections++).listen(0, '127.0.0.1')
    await once(late, 'listening')
    const { port } = late.address() as AddressInfo
    const model = openaiModel(slotAt(`http://127.0.0.1:${port}/v1`), patienceWith({}))
    for (let number = 0; number < asked; number++) {
      await allOf(model.stream(asking('hi')))
      await over.at(-1)
    }
    late.close().closeAllConnections()
    expect(connections).toBeLessThan(asked)
  })
})

describe('servers that number their calls in their own way', () => {
  const call = (piece: object) => delta({ tool_calls: [piece] })
  const done = delta({}, 'tool_calls')

  test.each([
    [
      'no index, whole calls',
      [
        call({ id: 'a', function: { name: 'f', arguments: '1' } }),
        call({ id: 'b', function: { name: 'g', arguments: '2' } }),
      ],
    ],
    [
      'the same index for all',
      [
        call({ index: 0, id: 'a', function: { name: 'f', arguments: '1' } }),
        call({ index: 0, id: 'b', function: { name: 'g', arguments: '2' } }),
      ],
    ],
    [
      'the same index for all, and empty ids',
      [
        call({ index: 0, id: '', function: { name: 'f', arguments: '1' } }),
        call({ index: 0, id: '', function: { name: 'g', arguments: '2' } }),
      ],
    ],
    [
      'no ids, but the name with every piece',
      [
        call({ index: 0, function: { name: 'f', arguments: '' } }),
        call({ index: 0, function: { name: 'f', arguments: '1' } }),
        call({ index: 0, function: { name: 'f', arguments: '' } }),
        call({ index: 1, function: { name: 'g', arguments: '2' } }),
      ],
    ],
    [
      'no index, no id',
      [
        call({ function: { name: 'f' } }),
        call({ function: { arguments: '1' } }),
        call({ function: { name: 'g', arguments: '2' } }),
      ],
    ],
    [
      'the id with every piece',
      [
        call({ id: 'a', function: { name: 'f' } }),
        call({ id: 'b', function: { name: 'g', arguments: '2' } }),
        call({ id: 'a', function: { name: 'f', arguments: '1' } }),
      ],
    ],
    [
      'index and id with every piece',
      [
        call({ index: 0, id: 'a', function: { name: 'f' } }),
        call({ index: 1, id: 'b', function: { name: 'g', arguments: '2' } }),
        call({ index: 0, id: 'a', function: { name: 'f', arguments: '1' } }),
      ],
    ],
    [
      'the name after the first piece',
      [
        call({ index: 0, id: 'a', function: { arguments: '' } }),
        call({ index: 0, function: { name: 'f' } }),
        call({ index: 0, function: { arguments: '1' } }),
        call({ index: 1, id: 'b', function: { arguments: '2' } }),
        call({ index: 1, id: 'b', function: { name: 'g' } }),
      ],
    ],
    [
      'arguments as a value',
      [
        call({ index: 0, id: 'a', function: { name: 'f', arguments: 1 } }),
        call({ index: 1, id: 'b', function: { name: 'g', arguments: 2 } }),
      ],
    ],
  ])('%s', async (_, events) => {
    const { model } = await modelFor([raw(...events, done)])
    const whole = assembly()
    for (const chunk of await allOf(model.stream(asking('hi')))) whole.add(chunk)
    expect(whole.reply().calls).toEqual([
      { name: 'f', arguments: '1' },
      { name: 'g', arguments: '2' },
    ])
  })

  test.each([
    ['the same index without ids', { index: 0, id: '' }],
    ['the same index and the same id', { index: 0, id: 'read_file' }],
    ['the same id without an index', { id: 'read_file' }],
  ])('two calls of one tool under %s are two', async (_, numbers) => {
    const same = (path: string) =>
      call({ ...numbers, function: { name: 'read_file', arguments: `{"path":"${path}"}` } })
    const { model } = await modelFor([raw(same('a'), same('b'), done)])
    const whole = assembly()
    for (const chunk of await allOf(model.stream(asking('hi')))) whole.add(chunk)
    expect(whole.reply().calls).toEqual([
      { name: 'read_file', arguments: '{"path":"a"}' },
      { name: 'read_file', arguments: '{"path":"b"}' },
    ])
  })

  test('a whole call that is said again is none of its own, and two of different tools are', async () => {
    const same = (name: string) => call({ id: 'a', function: { name, arguments: '{}' } })
    const { model } = await modelFor([raw(same('now'), same('list_files'), done), raw(same('now'), same('now'), done)])
    for (const names of [['now', 'list_files'], ['now']]) {
      const whole = assembly()
      for (const chunk of await allOf(model.stream(asking('hi')))) whole.add(chunk)
      expect(whole.reply().calls).toEqual(names.map((name) => ({ name, arguments: '{}' })))
    }
  })

  test.each([
    ['index and id', { index: 0, id: 'a' }],
    ['id alone', { id: 'a' }],
    ['name alone', { index: 0 }],
  ])('a call that begins with an empty object never runs with that, with its %s in every piece', async (_, numbers) => {
    const piece = (text: string) => call({ ...numbers, function: { name: 'f', arguments: text } })
    const { model } = await modelFor([raw(piece('{}'), piece('{"p":'), piece('1}'), done)])
    const whole = assembly()
    for (const chunk of await allOf(model.stream(asking('hi')))) whole.add(chunk)
    expect(whole.reply().calls).toEqual([{ name: 'f', arguments: '{}{"p":1}' }])
  })

  test.each([
    ['index and id', { index: 0, id: 'a' }],
    ['id alone', { id: 'a' }],
    ['name alone', { index: 0 }],
  ])('a call that ends with an empty line is one, with its %s in every piece', async (_, numbers) => {
    const piece = (text: string) => call({ ...numbers, function: { name: 'f', arguments: text } })
    const { model } = await modelFor([raw(piece('{"p":'), piece('1}'), piece('\n'), done)])
    const whole = assembly()
    for (const chunk of await allOf(model.stream(asking('hi')))) whole.add(chunk)
    expect(whole.reply().calls).toEqual([{ name: 'f', arguments: '{"p":1}\n' }])
  })

  test('a call without name and arguments is none', async () => {
    const { model } = await modelFor([raw(call({ index: 0, id: 'a' }), delta({ content: 'Done.' }), done)])
    const whole = assembly()
    for (const chunk of await allOf(model.stream(asking('hi')))) whole.add(chunk)
    expect(whole.reply()).toMatchObject({ text: 'Done.', calls: [] })
  })

  test('arguments as an object become JSON', async () => {
    const { model } = await modelFor([raw(call({ function: { name: 'f', arguments: { a: [1] } } }), done)])
    expect((await allOf(model.stream(asking('hi'))))[0]).toMatchObject({ name: 'f', arguments: '{"a":[1]}' })
  })
})

describe('failures', () => {
  test.each([
    [429, 'rate_limited', true],
    [408, 'unavailable', true],
    [409, 'unavailable', true],
    [500, 'unavailable', true],
    [503, 'unavailable', true],
    [529, 'unavailable', true],
    [400, 'refused', false],
    [401, 'refused', false],
    [403, 'refused', false],
    [404, 'refused', false],
    [413, 'refused', false],
  ])('status %i is %s, retry %s', async (code, kind, retry) => {
    const failure = await failureFrom([status(code)])
    expect(failure).toMatchObject({ code: kind, retry })
    expect(server?.requests).toHaveLength(1)
  })

  test('the wait that a 429 asks for is passed on', async () => {
    expect(await failureFrom([status(429, { retryAfter: 7 })])).toMatchObject({ retryAfterMs: 7_000 })
  })

  test("waiting doesn't help if there is no credit", async () => {
    const failure = await failureFrom([status(429, { code: 'insufficient_quota' })])
    expect(failure).toMatchObject({ code: 'refused', retry: false })
    expect(failure.message).toContain('out of credit')
  })

  test('a wrong key is named by its setting and never shown', async () => {
    const failure = await failureFrom([], { apiKey: 'sk-wrong-9876543210' })
    expect(failure).toMatchObject({
      code: 'refused',
      message: 'The model endpoint refused the key: check MODEL_BASE_API_KEY.',
    })
    expect(`${failure.message}${failure.stack}${failure.cause}`).not.toContain('9876543210')
  })

  test('a key that a provider quotes in an error is taken out', async () => {
    const failure = await failureFrom([status(400, { message: 'bad request by sk-test-0123456789abcdef, sorry' })])
    expect(failure.message).toContain('bad request by ***, sorry')
    expect(`${failure.stack}${failure.cause}`).not.toContain('0123456789abcdef')
  })

  test('nobody listens', async () => {
    const { model } = await modelFor([])
    await server?.close()
    server = undefined
    const failure = await allOf(model.stream(asking('hi'))).catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({ code: 'unavailable', retry: true })
    expect(`${failure}`).toContain('ECONNREFUSED')
  })

  test.each(['text/html; charset=utf-8', 'application/json'])(
    '%s instead of a stream says what to check',
    async (type) => {
      const page = { code: 200, headers: { 'content-type': type }, body: { hello: 'there' } }
      const failure = await failureFrom([{ status: page }])
      expect(failure).toMatchObject({ code: 'refused', retry: false })
      expect(failure.message).toContain('check MODEL_BASE_BASE_URL')
    },
  )

  test('a socket that closes midway', async () => {
    expect(await failureFrom([cutAfter(2)])).toMatchObject({ code: 'cut', retry: true })
  })

  test('a stream that ends without a finish reason', async () => {
    expect(await failureFrom([raw(delta({ content: 'and then' }), '[DONE]')])).toMatchObject({
      code: 'cut',
      retry: true,
    })
  })

  test.each([['{"choices": [{"del'], ['[1, 2]'], ['"text"']])("an event that isn't a chunk: %s", async (payload) => {
    expect(await failureFrom([raw(payload)])).toMatchObject({ code: 'cut', retry: true })
  })

  test('an error inside the stream', async () => {
    const error = { error: { message: 'overloaded', code: 429 } }
    expect(await failureFrom([raw(delta({ content: 'so' }), error)])).toMatchObject({
      code: 'rate_limited',
      retry: true,
    })
  })

  // The stream itself begins at once; reasoning and a long prompt take their time before the first word of it.
  test.each([
    ['the first piece', hang(), { idleTimeoutMs: 50, firstOutputTimeoutMs: 300 }],
    ['the headers', heldUntil(new Promise(() => {}), says('never')), { idleTimeoutMs: 50, firstOutputTimeoutMs: 300 }],
    ['the next piece', hang(2), { idleTimeoutMs: 300, firstOutputTimeoutMs: 20_000 }],
    ['the next argument', hang(1, calls('now', { a: 1 })), { idleTimeoutMs: 300, firstOutputTimeoutMs: 20_000 }],
  ])('silence before %s', async (_, reply, patience) => {
    const failure = await failureFrom([reply], {}, patience)
    expect(failure).toMatchObject({ code: 'hang', retry: true, message: 'The model sent nothing for 0.3 s.' })
  })

  test('how long a model may be silent is up to us, and not to Node', async () => {
    const usual = getGlobalDispatcher()
    setGlobalDispatcher(new Agent({ headersTimeout: 200, bodyTimeout: 200 }))
    onTestFinished(() => setGlobalDispatcher(usual))
    const { model, server } = await modelFor(() => heldUntil(sleep(700), slowly(700, says('ok'))))
    const { messages } = asking('hi')
    const body = JSON.stringify({ model: 'scripted', stream: true, messages })
    const headers = { authorization: 'Bearer sk-test-0123456789abcdef' }
    await expect(fetch(`${server.url}/chat/completions`, { method: 'POST', headers, body })).rejects.toThrow()
    expect(await allOf(model.stream(asking('hi')))).toMatchObject([{ text: 'ok' }, { kind: 'end' }])
  })

  test('a reply that drips on past the total time', async () => {
    const drip = { text: 'word '.repeat(5_000), delayMs: 5 }
    expect(await failureFrom([drip], {}, { totalTimeoutMs: 100 })).toMatchObject({ code: 'hang', retry: true })
  })

  test.each([['text'], ['calls'], ['line']] as const)('endless %s', async (what) => {
    expect(await failureFrom([endless(what)])).toMatchObject({ code: 'endless', retry: false })
  })

  test('a thousand calls', async () => {
    expect(await failureFrom([manyCalls(1_000)])).toMatchObject({ code: 'endless', retry: false })
  })
})

describe('stopping', () => {
  test('an abort while the model is silent throws the reason', async () => {
    const stop = new AbortController()
    const reason = new Error('stopped by ana')
    const { model } = await modelFor(() => {
      stop.abort(reason)
      return hang()
    })
    await expect(allOf(model.stream(asking('hi', { signal: stop.signal })))).rejects.toBe(reason)
  })

  test('an abort between two pieces throws the reason', async () => {
    const stop = new AbortController()
    const reason = new Error('stopped by ana')
    const { model } = await modelFor([hang(2)])
    const read = async () => {
      for await (const chunk of model.stream(asking('hi', { signal: stop.signal }))) {
        if (chunk.kind === 'text') stop.abort(reason)
      }
    }
    await expect(read()).rejects.toBe(reason)
  })
})
