import { type APIError, BadRequestError, UnprocessableEntityError } from 'openai'
import type { ToolDefinition } from '../kit/model/model.ts'

/** FastAPI, and with it Mistral and many servers of open models, refuses what it doesn't know with 422. */
export const isRefusal = (thrown: unknown): thrown is BadRequestError | UnprocessableEntityError =>
  thrown instanceof BadRequestError || thrown instanceof UnprocessableEntityError

/** How endpoints say that they don't take something. The last is Kimi's, of a temperature. */
export const refusing = /unsupported|not support|unrecognized|unknown|not permitted|extra|only .{1,20} is allowed/i

/** How endpoints say that a request is longer than their model can read. */
const tooLong =
  /context.{0,3}(length|window|size|limit)|maximum (context|prompt|model length)|max_new_tokens. must be <=|too many (input |prompt )?tokens|model token limit|(prompt|input|request|messages?)[ _](is |are )?too[ _](long|large)|reduce the length|(prompt|input|request) exceeds (the )?max|range of input length|exceeds? .{0,60}(tokens|context)/i

/** How endpoints say that their model, or how it is run, takes no tools. The first of the flags is vLLM's. */
const noTools =
  /not support (tools\b|tool use|tool call|function call)|(tools|tool use|tool calling|function calling)\W{1,3}(is|are) not (supported|enabled)|found that support tool use|--enable-auto-tool-choice|--jinja/i

/** How OpenAI says that a model takes no tools while it thinks, which it does unless it is told not to. */
const noThinking = /tools with .?reasoning_effort.? (is|are) not supported/i

/** How providers say that their content filter stops a prompt. OpenRouter and xAI do so with 403. */
const filtered =
  /content[ _](filter|policy|management|exists risk|violates)|invalid_prompt|(prompt|input|request|messages?) (was|were) flagged|data_?inspection|inappropriate content/i

/** What throttling may say of tokens. */
const later = /wait|retry|try again|rate.?limit|per (minute|hour|day)|quota/i

/** Some endpoints quote the request further on, which may say anything. */
const ownWords = 2_000

/** Gateways put what the provider said somewhere below their own message. */
const wordsOf = ({ message, error }: APIError): string =>
  `${message.slice(0, ownWords)} ${(JSON.stringify(error) ?? '').slice(0, ownWords)}`

export const saysTooLong = (refusal: APIError): boolean => tooLong.test(wordsOf(refusal))

export const saysNoTools = (refusal: APIError): boolean => noTools.test(wordsOf(refusal))

export const saysNoThinking = (thrown: unknown): boolean => isRefusal(thrown) && noThinking.test(wordsOf(thrown))

export const saysFiltered = (refusal: APIError): boolean => filtered.test(wordsOf(refusal))

/** The same of an error without a status, which may be a rate limit as well. */
export const surelyTooLong = (error: APIError): boolean => saysTooLong(error) && !later.test(wordsOf(error))

/**
 * How endpoints say which tool they don't take. OpenAI: “Invalid schema for function 'x'”. Anthropic:
 * “tools.4.custom.input_schema”. Gemini: “tools[0].function_declarations[4].parameters”. Mistral: “"tools",4,”.
 */
const toolRefused =
  /schema for (?:function|tool) \W?([\w-]+)|\btools(?:[[.]0\]?\.function_?declarations)?(?:\[|\.|\\?["'], ?)(\d+)(?=[\].,:])/i

/**
 * The tool that is refused, if it is one of an MCP server: what is wrong with our own isn't to be hidden. Groq also
 * names one when the model has called it wrongly.
 */
export function refusedTool(thrown: unknown, tools: readonly ToolDefinition[]): ToolDefinition | undefined {
  if (!isRefusal(thrown) || thrown.code === 'tool_use_failed') return undefined
  const [, name, place = ''] = toolRefused.exec(wordsOf(thrown)) ?? []
  const tool = place === '' ? tools.find((one) => one.name === name) : tools[Number(place)]
  return tool?.server === undefined ? undefined : tool
}
