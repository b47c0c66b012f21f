import type { ModelMessage, ModelRequest, ToolDefinition } from '../../kit/model/model.ts'

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

const sizeOfMessage = (message: ModelMessage): number =>
  message.role === 'assistant'
    ? message.calls.reduce((sum, call) => sum + call.name.length + call.arguments.length, message.content.length)
    : message.content.length

export const imagesIn = ({ messages }: ModelRequest): number =>
  messages.reduce((sum, message) => sum + (message.role === 'user' ? (message.images?.length ?? 0) : 0), 0)
