import { z } from 'zod'
import { isObject } from '../json.ts'
import { checkBlocks, type Problem, problemsOf } from './check.ts'
import { plain } from './text.ts'

const common = {
  blocks: z.array(z.unknown()),
  private_metadata: z.string().max(3_000).optional(),
  callback_id: z.string().max(255).optional(),
  external_id: z.string().max(255).optional(),
}

const view = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('home'), ...common }),
  z.strictObject({
    type: z.literal('modal'),
    ...common,
    title: plain(24),
    close: plain(24).optional(),
    submit: plain(24).optional(),
    clear_on_close: z.boolean().optional(),
    notify_on_close: z.boolean().optional(),
    submit_disabled: z.boolean().optional(),
  }),
])

/** A view for `views.*`, and for the response to a submission. */
export function checkView(value: unknown): Problem | undefined {
  const found = problemsOf(view, value, ['view'])
  if (found.length > 0 || !isObject(value)) {
    return { error: 'invalid_arguments', messages: found.map((one) => `[ERROR] ${one}`) }
  }
  if (JSON.stringify(value).length > 250_000) return { error: 'view_too_large', messages: [] }
  const problem = checkBlocks(value.blocks, value.type === 'home' ? 'home' : 'modal', ['view', 'blocks'])
  if (problem) return { error: 'invalid_arguments', messages: problem.messages }
  const inputs = Array.isArray(value.blocks) && value.blocks.some((block) => isObject(block) && block.type === 'input')
  if (value.type === 'modal' && inputs && value.submit === undefined) {
    return { error: 'invalid_arguments', messages: ['[ERROR] missing required field: submit [json-pointer:/view]'] }
  }
  return undefined
}
