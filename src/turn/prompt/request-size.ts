import type { ModelCall, ModelMessage, ModelRequest, ToolDefinition } from '../../kit/model/model.ts'

/** Characters of a definition as JSON. Counted once, because that takes longer than the rest of a request. */
const lengths = new WeakMap<ToolDefinition, number>()

function lengthOf(definition: ToolDefinition): number {
  const length = lengths.get(definition) ?? JSON.stringify(definition).length
  lengths.set(definition, length)
  return length
}

/** Characters of a request, without its images. */
export const sizeOf = ({ messages, tools }: ModelRequest): number =>
  messages.reduce((sum, message) => sum + sizeOfMessage(message), 0) +
  tools.reduce((sum, tool) => sum + lengthOf(tool), 0)

function sizeOfMessage(message: ModelMessage): number {
  if (message.role !== 'assistant') return message.content.length
  const { content, thought = '', calls } = message
  return calls.reduce((sum, call) => sum + sizeOfCall(call), content.length + thought.length)
}

const sizeOfCall = ({ name, arguments: written, extra }: ModelCall): number =>
  name.length + written.length + (extra ? JSON.stringify(extra).length : 0)

export const imagesIn = ({ messages }: ModelRequest): number =>
  messages.reduce((sum, message) => sum + (message.role === 'user' ? (message.images?.length ?? 0) : 0), 0)
