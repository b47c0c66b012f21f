import type { Intent } from '../situation.ts'

const asks = /\b(?:take|do|in|make)\s+(\d+)\s+steps\b/i
const most = 10

/** A turn of many steps, for trying Stop and restarts between them. */
export const steps: Intent = {
  name: 'steps',
  example: 'take 5 steps',
  matches: (text) => asks.test(text),
  next({ text, rounds }) {
    const wanted = Math.min(Number(text.match(asks)?.[1]), most)
    if (rounds.length >= wanted) return { text: `Done: ${rounds.length} of ${wanted} steps.` }
    return { text: `Step ${rounds.length + 1} of ${wanted}.`, calls: [{ name: 'now', input: {} }] }
  },
}
