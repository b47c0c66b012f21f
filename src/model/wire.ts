import type {
  ChatCompletionContentPartImage,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions'
import type { ModelImage, ModelMessage, ToolDefinition } from '../kit/model/model.ts'

type WireCall = { id: string; type: 'function'; function: { name: string; arguments: string } }

/**
 * Servers parse the arguments of earlier calls and reject a history whose arguments aren't a JSON object; one bad reply
 * would then end the whole thread.
 */
function sendableArguments(written: string): string {
  if (written.trim() === '') return '{}'
  try {
    const parsed: unknown = JSON.parse(written)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return written.toWellFormed()
  } catch {
    // Not JSON: it is wrapped below, so that the model can still read what it wrote.
  }
  return JSON.stringify({ invalid_arguments: written.toWellFormed() })
}

/** Endpoints reject a history with names that they wouldn't allow for a tool; a model may write any. */
const sendableName = (written: string): string => written.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed'

const wireCall = (call: { id: string; name: string; arguments: string }): WireCall => ({
  id: call.id,
  type: 'function',
  function: { name: sendableName(call.name), arguments: sendableArguments(call.arguments) },
})

const wireImage = ({ type, base64 }: ModelImage): ChatCompletionContentPartImage => ({
  type: 'image_url',
  image_url: { url: `data:${type};base64,${base64}` },
})

/** One message as chat completions expect it. Lone surrogates are replaced: many servers can't decode them. */
export function wireMessage(message: ModelMessage): ChatCompletionMessageParam {
  const content = message.content.toWellFormed()
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.call, content }
  if (message.role === 'system') return { role: 'system', content }
  if (message.role === 'user') {
    const { images = [] } = message
    // Many servers accept parts only for images.
    if (images.length === 0) return { role: 'user', content }
    return { role: 'user', content: [{ type: 'text', text: content }, ...images.map(wireImage)] }
  }
  if (message.calls.length === 0) return { role: 'assistant', content }
  return { role: 'assistant', content: content === '' ? null : content, tool_calls: message.calls.map(wireCall) }
}

export const wireTool = (tool: ToolDefinition): ChatCompletionTool => ({
  type: 'function',
  function: { name: tool.name, description: tool.description, parameters: { ...tool.parameters } },
})
