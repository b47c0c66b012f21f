import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import OpenAI from 'openai'

// The minimum cost of a bot: HTTP and the model's client, without storage, threads or recovery.

const openai = new OpenAI({ baseURL: process.env.MODEL_BASE_BASE_URL, apiKey: 'none' })
const server = createServer(async (request, response) => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: await text(request) }]
  for (let more = request.method === 'POST'; more; ) {
    more = false
    for await (const { choices } of await openai.chat.completions.create({ model: 'bench', messages, stream: true })) {
      const { content, tool_calls: calls } = choices[0]?.delta ?? {}
      if (content) response.write(content)
      for (const { id = '', function: called } of calls ?? []) {
        const call = { id, type: 'function' as const, function: { name: called?.name ?? '', arguments: '{}' } }
        messages.push(
          { role: 'assistant', tool_calls: [call] },
          { role: 'tool', tool_call_id: id, content: new Date().toISOString() },
        )
        more = true
      }
    }
  }
  response.end()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.stdout.write(`ready http://127.0.0.1:${address.port}\n`)
})
