import { type APIError, BadRequestError, UnprocessableEntityError } from 'openai'

/** FastAPI, and with it Mistral and many servers of open models, refuses what it doesn't know with 422. */
export const isRefusal = (thrown: unknown): thrown is BadRequestError | UnprocessableEntityError =>
  thrown instanceof BadRequestError || thrown instanceof UnprocessableEntityError

/** How endpoints say that they don't take something. The last is Kimi's, of a temperature. */
export const refusing = /unsupported|not support|unrecognized|unknown|not permitted|extra|only .{1,20} is allowed/i

/** How endpoints say that a request is longer than their model can read. */
const tooLong =
  /context.{0,3}(length|window|size|limit)|maximum (context|prompt)|too many (input |prompt )?tokens|model token limit|(prompt|input|request|messages?)[ _](is |are )?too[ _](long|large)|reduce the length|(prompt|input|request) exceeds (the )?max|range of input length|exceeds? .{0,60}(tokens|context)/i

/** What throttling may say of tokens. */
const later = /wait|retry|try again|rate.?limit|per (minute|hour|day)|quota/i

/** Some endpoints quote the request further on, which may say anything. */
const ownWords = 2_000

/** Gateways put what the provider said somewhere below their own message. */
const wordsOf = ({ message, error }: APIError): string =>
  `${message.slice(0, ownWords)} ${(JSON.stringify(error) ?? '').slice(0, ownWords)}`

export const saysTooLong = (refusal: APIError): boolean => tooLong.test(wordsOf(refusal))

/** The same of an error without a status, which may be a rate limit as well. */
export const surelyTooLong = (error: APIError): boolean => saysTooLong(error) && !later.test(wordsOf(error))
