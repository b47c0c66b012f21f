import type { MiddlewareHandler } from 'hono'
import { nearestName } from '../kit/nearest.ts'
import { oneLine } from '../kit/text/text.ts'
import type { Operation } from '../turn/port/operation.ts'
import type { ApiDeps } from './deps.ts'
import { ApiError } from './errors.ts'
import { namesTaken } from './fields.ts'
import { apiWords } from './words.ts'

const base = '/api/v1'

/**
 * Refuses whatever the description of the interface doesn't name: a misspelt parameter would be ignored, and the
 * request would do something else than was meant.
 */
export function asDescribed(deps: Pick<ApiDeps, 'operations'>): MiddlewareHandler {
  return async (context, next) => {
    const { pathname, searchParams } = new URL(context.req.url)
    const fitting = await describedAt(pathname, deps)
    const method = context.req.method === 'HEAD' ? 'get' : context.req.method.toLowerCase()
    const operation = fitting.find((one) => one.method === method)
    if (operation !== undefined) checkParameters(operation, [...searchParams.keys()])
    else if (fitting.length > 0) {
      const methods = fitting.map((one) => one.method.toUpperCase()).join(', ')
      context.header('Allow', methods)
      const message = apiWords.wrongMethod({ method: context.req.method, path: pathname })
      throw new ApiError(405, 'not_allowed', message, apiWords.wrongMethodRemedy({ methods }))
    }
    await next()
  }
}

/** The operations at an address. Capabilities are asked for one that isn't the bot's own. */
async function describedAt(pathname: string, deps: Pick<ApiDeps, 'operations'>): Promise<readonly Operation[]> {
  const parts = pathname.slice(base.length).split('/').filter(Boolean).map(decoded)
  const fitting = (all: readonly Operation[]) => all.filter(({ path }) => fits(parts, path))
  const { operations } = await import('./operations.ts')
  const own = fitting(operations)
  return own.length > 0 ? own : fitting(await deps.operations(parts))
}

/** Whether a path is one that a template such as `/agents/{name}` describes. `{path}` is the rest of it. */
function fits(parts: readonly string[], template: string): boolean {
  const wanted = template.split('/').filter(Boolean)
  const takesRest = wanted.at(-1) === '{path}' && parts.length > wanted.length
  if (parts.length !== wanted.length && !takesRest) return false
  return wanted.every((part, place) => part === parts[place] || part.startsWith('{'))
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Throws 400. */
function checkParameters({ query }: Operation, given: string[]): void {
  if (given.length === 0) return
  const known = namesTaken(query)
  if (known === undefined) return
  const unknown = given.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const name = oneLine(unknown, 64)
  const nearest = nearestName(name, known)
  throw new ApiError(
    400,
    'unknown_parameter',
    nearest === undefined ? apiWords.unknownParameter({ name }) : apiWords.misspeltParameter({ name, nearest }),
    known.length === 0 ? apiWords.noParametersRemedy() : apiWords.parametersRemedy({ known: known.join(', ') }),
  )
}
