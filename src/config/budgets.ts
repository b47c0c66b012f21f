import { z } from 'zod'

const limit = z.strictObject({
  per: z
    .enum(['turn', 'thread', 'channel', 'person', 'tenant', 'day'])
    .describe('Whose calls count; `day`: everybody’s'),
  usd: z.number().positive().describe('No call begins once this many US dollars are spent'),
  soft: z.number().gt(0).lt(1).optional().describe('From this share on, people are asked once in each turn'),
  within: z
    .enum(['day', 'month', 'always'])
    .optional()
    .describe('In UTC. A month for channel, person and tenant if missing'),
})

/** `config/budgets.yaml`. */
export const budgetsFile = z.strictObject({ limits: z.array(limit) })
