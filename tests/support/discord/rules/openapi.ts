import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { type FormProblem, problem } from '../rest/errors.ts'
import { type Description, integerText, type Operation, readDescription } from './description.ts'

export interface Route {
  /** Method and path as in the description: `GET /channels/{channel_id}`. */
  name: string
  params: Record<string, string>
  operation: Operation
}

interface Template {
  name: string
  method: string
  pattern: RegExp
  /** How many of its parts are fixed, so that `@me` wins over `{user_id}`. */
  fixed: number
  operation: Operation
}

/** Events whose data REST returns as well. */
const told: Record<string, string> = {
  GUILD_CREATE: 'GuildWithCountsResponse',
  MESSAGE_CREATE: 'MessageResponse',
  MESSAGE_UPDATE: 'MessageResponse',
  THREAD_CREATE: 'ThreadResponse',
  THREAD_UPDATE: 'ThreadResponse',
  CHANNEL_UPDATE: 'GuildChannelResponse',
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** Read at the first request, with each schema compiled on first use, so that starting a server is cheap. */
class OpenApi {
  #loaded: { templates: Template[]; ajv: Ajv2020; description: Description } | undefined
  readonly #compiled = new Map<string, ValidateFunction>()

  route(method: string, path: string): Route | undefined {
    for (const { name, pattern, operation, method: own } of this.#load().templates) {
      const match = own === method ? pattern.exec(path) : null
      if (match) return { name, operation, params: { ...match.groups } }
    }
    return undefined
  }

  /** Every operation, by method and path. */
  names(): string[] {
    return this.#load().templates.map(({ name }) => name)
  }

  /** What is wrong with a body; `schema` names the form to use where the description allows several. */
  checkRequest({ operation }: Route, body: unknown, schema?: string): FormProblem[] {
    const whole = operation.requestBody?.content['application/json'].schema
    if (whole === undefined) return []
    const validate = schema
      ? this.#compile(schema, { $ref: `#/components/schemas/${schema}` })
      : this.#compile(operation.operationId, whole)
    return validate(body ?? {}) ? [] : problemsOf(validate.errors ?? [])
  }

  /** Checks gateway events whose data the description covers. */
  checkEvent(event: string, data: unknown): FormProblem[] {
    const schema = told[event]
    if (schema === undefined) return []
    const validate = this.#compile(schema, { $ref: `#/components/schemas/${schema}` })
    return validate(data) ? [] : problemsOf(validate.errors ?? [])
  }

  checkAnswer({ operation }: Route, status: number, body: unknown): FormProblem[] {
    const schema = operation.responses[status]?.content?.['application/json'].schema
    if (schema === undefined) return []
    const validate = this.#compile(`${operation.operationId} ${status}`, schema)
    return validate(body) ? [] : problemsOf(validate.errors ?? [])
  }

  #load() {
    this.#loaded ??= load()
    return this.#loaded
  }

  #compile(key: string, schema: Record<string, unknown>): ValidateFunction {
    const known = this.#compiled.get(key)
    if (known) return known
    const { ajv } = this.#load()
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"discord#/components')) as object
    const compiled = ajv.compile(absolute)
    this.#compiled.set(key, compiled)
    return compiled
  }
}

function load() {
  const description = readDescription()
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    inlineRefs: false,
    validateFormats: false,
    validateSchema: false,
  })
  ajv.addSchema({ $id: 'discord', components: description.components })
  const templates = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]): Template[] => {
      if (!methods.includes(method)) return []
      const parts = path.split('/').map((part) => part.replace(/^\{(\w+)\}$/, '(?<$1>[^/]+)'))
      const fixed = parts.filter((part) => !part.startsWith('(')).length
      const name = `${method.toUpperCase()} ${path}`
      return [{ name, method: method.toUpperCase(), pattern: new RegExp(`^${parts.join('/')}$`), fixed, operation }]
    }),
  )
  return { description, ajv, templates: templates.toSorted((a, b) => b.fixed - a.fixed) }
}

export const openApi = new OpenApi()

/** For a union, keeps only the errors of the form that was meant. */
function problemsOf(errors: ErrorObject[]): FormProblem[] {
  const telling = errors.filter(
    ({ keyword, params, instancePath: path }) =>
      !['anyOf', 'if'].includes(keyword) &&
      !(
        keyword === 'type' &&
        (params.type === 'null' || errors.some((one) => isSize(one) && one.instancePath === path))
      ) &&
      params.pattern !== integerText,
  )
  return (telling.length > 0 ? telling : errors).map((error) => {
    const path = error.instancePath.split('/').slice(1)
    if (error.keyword === 'required') {
      return problem([...path, error.params.missingProperty], 'BASE_TYPE_REQUIRED', 'This field is required')
    }
    return problem(path, codes[error.keyword] ?? 'BASE_TYPE_BAD_VALUE', wordsFor(error))
  })
}

const isSize = ({ keyword }: ErrorObject) => /^(min|max)/.test(keyword)

const codes: Record<string, string> = {
  maxLength: 'BASE_TYPE_MAX_LENGTH',
  minLength: 'BASE_TYPE_MIN_LENGTH',
  maxItems: 'BASE_TYPE_BAD_LENGTH',
  minItems: 'BASE_TYPE_BAD_LENGTH',
  enum: 'BASE_TYPE_CHOICES',
  type: 'BASE_TYPE_BAD_TYPE',
  maximum: 'NUMBER_TYPE_MAX',
  minimum: 'NUMBER_TYPE_MIN',
}

function wordsFor({ keyword, params, message = 'is wrong' }: ErrorObject): string {
  if (keyword === 'maxLength') return `Must be ${params.limit} or fewer in length.`
  if (keyword === 'minLength') return `Must be ${params.limit} or more in length.`
  if (keyword === 'maxItems') return `Must be ${params.limit} or fewer in length.`
  if (keyword === 'enum') return `Value must be one of {${(params.allowedValues as unknown[]).join(', ')}}.`
  return message
}
