import { createServer } from 'node:http'

// A model without latency, in a process of its own. The last message of a person says what it does: "tools 5" asks for
// five calls, one after the other; "delegate 5: slow 20" gives "slow 20" to five subagents in one step; "ask-people" asks people;
// "slow 20" pauses 20 ms before each word; anything else is answered at once.

const words = 20

interface Sent {
  messages: { role: string; content: string }[]
}

const server = createServer(async (request, response) => {
  // The bot looks whether its key is accepted.
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"list","data":[]}')
    return
  }
  let body = ''
  for await (const piece of request.setEncoding('utf8')) body += piece
  const { messages } = JSON.parse(body) as Sent
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const text = messages[asked]?.content ?? ''
  const results = messages.slice(asked).filter(({ role }) => role === 'tool').length
  const send = (delta: object, finish: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'bench', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    )

  const call = (index: number, name: string, input: object) => ({
    ...{ index, id: `c${index}`, type: 'function', function: { name, arguments: JSON.stringify(input) } },
  })
  const [, many = 0, task = ''] = /delegate (\d+): (.+)/.exec(text) ?? []

  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (many !== 0 && results === 0) {
    const calls = Array.from({ length: Number(many) }, (_, index) =>
      call(index, 'delegate_task', { task: `${task} (${index})` }),
    )
    send({ role: 'assistant', tool_calls: calls })
    send({}, 'tool_calls')
  } else if (many === 0 && text.includes('ask-people') && results === 0) {
    send({ role: 'assistant', tool_calls: [call(0, 'ask_human', { question: 'Which one?' })] })
    send({}, 'tool_calls')
  } else if (results < Number(/tools (\d+)/.exec(text)?.[1] ?? 0)) {
    send({
      role: 'assistant',
      tool_calls: [{ index: 0, id: `c${results}`, type: 'function', function: { name: 'now', arguments: '{}' } }],
    })
    send({}, 'tool_calls')
  } else {
    const pauseMs = Number(/slow (\d+)/.exec(text)?.[1] ?? 0)
    for (let word = 0; word < words; word++) {
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      // The time is sent along, so that the reader knows how long a word took to arrive.
      send({ content: `@${Date.now()} ` })
    }
    send({}, 'stop')
  }
  response.end('data: [DONE]\n\n')
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object')
    process.stdout.write(`ready http://127.0.0.1:${address.port}/v1\n`)
})
