import type { Tool } from '../domain/tool.ts'
import { usualVerdict } from '../trust/usual.ts'
import type { Api, ApiDeps } from './deps.ts'

/** The bot's tools, and how each gets into a thread. */
export function toolRoutes(api: Api, deps: ApiDeps): void {
  api.get('/tools', (context) => {
    const { byName } = deps.tools
    const onDemand = deps.tools.onDemandIn()
    const all = deps.tools.all.filter(({ unlisted }) => !unlisted)
    const { tiers } = deps.config
    return context.json({ tools: all.map(shape) })

    function tierOf(tool: Tool, isListed: boolean) {
      if (byName.includes(tool)) return 'by_name'
      if (onDemand.includes(tool)) return 'on_demand'
      return isListed ? 'always' : 'core'
    }

    function approvalOf(tool: Tool) {
      const verdict = usualVerdict(tool, deps.rules)
      if (verdict === undefined) return null
      const { kind, rule, reason, risk } = verdict
      return { action: kind, ...(kind !== 'allow' && { risk }), reason, rule: rule.name }
    }

    /** Programs have limits of their own, in `sandbox`. */
    function timeoutOf({ kind, runsPrograms, timeoutMs }: Tool) {
      return kind !== 'run' || runsPrograms ? null : (timeoutMs ?? deps.config.tools.timeoutMs)
    }

    function shape(tool: Tool) {
      const tier = Object.hasOwn(tiers, tool.name) ? tiers[tool.name] : undefined
      const lacks = deps.tools.lacks(tool.name)
      return {
        name: tool.name,
        description: tool.description,
        tier: tierOf(tool, tier !== undefined),
        category: tier?.category ?? 'core',
        tags: tier?.tags ?? [],
        effect: tool.effect,
        repeatable: tool.repeatable === true,
        timeout_ms: timeoutOf(tool),
        approval: approvalOf(tool),
        ...(lacks && { unavailable: lacks }),
      }
    }
  })
}
