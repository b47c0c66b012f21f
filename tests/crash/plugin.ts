import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { RunTool, Tool, ToolContext } from '../../src/domain/tool.ts'
import type { Capability } from '../../src/turn/port/capability.ts'

const input = z.strictObject({ token: z.string() })
type Input = z.infer<typeof input>

/** Tools with outside effects that can be counted. */
export default function plugin({ url }: { url: string }): Capability {
  const tell =
    (name: string) =>
    async (given: Input, { key, signal }: ToolContext) => {
      // So that kills also hit between the started row and the effect.
      await sleep(Math.random() * 60)
      const body = JSON.stringify({ tool: name, token: given.token, key })
      const response = await fetch(url, { method: 'POST', body, signal })
      return `told about ${given.token}: ${await response.text()}`
    }
  const tool = (name: string, repeatable: boolean): Tool => {
    const made: RunTool<Input> = {
      kind: 'run',
      name,
      description: 'Tells the world about a token.',
      input,
      effect: 'external',
      repeatable,
      run: tell(name),
    }
    return made as unknown as Tool
  }
  return {
    name: 'effects',
    tools: [tool('notify', false), tool('notify_asked', false), tool('notify_again', true)],
  }
}
