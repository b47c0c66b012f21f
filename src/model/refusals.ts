import { BadRequestError, UnprocessableEntityError } from 'openai'

/** FastAPI, and with it Mistral and many servers of open models, refuses what it doesn't know with 422. */
export const isRefusal = (thrown: unknown): thrown is BadRequestError | UnprocessableEntityError =>
  thrown instanceof BadRequestError || thrown instanceof UnprocessableEntityError

/** How endpoints say that they don't take something. The last is Kimi's, of a temperature. */
export const refusing = /unsupported|not support|unrecognized|unknown|not permitted|extra|only .{1,20} is allowed/i
