import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** Over HTTP each answer to a server takes a connection until the server has read it. */
const mostAnswers = 16

/** Keeps a server that asks without reading our answers from taking all our connections. What is beyond is lost. */
export function withFewAnswers(transport: Transport): Transport {
  const send = transport.send.bind(transport)
  let waiting = 0
  transport.send = async (message, options) => {
    if ('method' in message) return send(message, options)
    if (waiting >= mostAnswers) throw new Error('it doesn’t read our answers')
    waiting++
    try {
      await send(message, options)
    } finally {
      waiting--
    }
  }
  return transport
}
