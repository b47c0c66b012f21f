import { parseArgs } from 'node:util'
import { type Config, databasePlace } from '../config/config.ts'
import type { Tool } from '../domain/tool.ts'
import { reasonOf } from '../kit/failure.ts'
import { type Json, parseJson } from '../kit/json.ts'
import { hasDatabase } from '../store/place.ts'
import type { Store } from '../store/store.ts'
import { compileRules } from '../trust/rules.ts'
import type { Capability } from '../turn/port/capability.ts'
import { settingsOf } from '../turn/port/settings-of.ts'
import { builtinCapabilities } from '../wiring/capabilities.ts'
import { allTools } from '../wiring/names.ts'
import { loadPlugins } from '../wiring/plugins.ts'
import { checkRules } from '../wiring/unknown-names.ts'
import { verdictFor } from './examine-call.ts'
import { explain } from './explain.ts'
import { explainLines } from './explain-lines.ts'
import { loadOrThrow } from './load.ts'
import { openStore } from './open-store.ts'
import { UsageFault } from './usage.ts'
import { cliWords } from './words.ts'

const usage = `Usage: policy explain '<tool>' '<arguments as JSON>' [--untrusted], or policy explain --stdin [--untrusted]`

/**
 * `policy explain`: what the rules say of a call, which of them decides, and what was seen in the call. Nothing is run.
 */
export async function policyCommand([action, ...args]: string[]): Promise<number> {
  if (action !== 'explain') throw new UsageFault(cliWords.explainActionMissing(), usage)
  const { values, positionals } = parsed(args)
  const [name, text, ...more] = positionals
  if (values.stdin && positionals.length > 0) throw new UsageFault(cliWords.stdinTakesNoArguments(), usage)
  if (!values.stdin && (name === undefined || text === undefined || more.length > 0))
    throw new UsageFault(cliWords.explainCallMissing(), usage)
  const config = loadOrThrow()
  const plugins = await loadPlugins(config.plugins)
  const capabilities = [...builtinCapabilities, ...plugins]
  const fixed = allTools(builtinCapabilities, plugins)
  checkRules(config, fixed, capabilities)
  const isFixed = fixed.some((one) => one.name === name)
  const tools = isFixed ? fixed : [...fixed, ...(await foundBefore(capabilities, config))]
  const rules = compileRules(config.rules)
  if (name === undefined || text === undefined) {
    process.stdin.setEncoding('utf8')
    for await (const answers of explainLines(process.stdin, (call) => {
      const tool = toolNamed(call.tool, tools, config)
      return verdictFor(tool, checked(tool, call.input), rules, values.untrusted)
    }))
      process.stdout.write(answers)
    return 0
  }
  const tool = toolNamed(name, tools, config)
  const input = inputFor(tool, text)
  process.stdout.write(`${explain(tool, input, rules, values.untrusted).join('\n')}\n`)
  return 0
}

/** Tools that a bot on this database has found, such as those of MCP servers; without one, those that need none. */
async function foundBefore(capabilities: readonly Capability[], config: Config): Promise<Tool[]> {
  const file = databasePlace(config)
  const isThere = hasDatabase(file)
  let store: Store | undefined
  const open = async () => {
    if (!isThere) throw new Error('there is no database')
    store ??= await openStore(file)
    return store
  }
  const foundBy = async (one: Capability): Promise<readonly Tool[]> => {
    try {
      return (await one.foundBefore?.(open, settingsOf(config, one))) ?? []
    } catch (thrown) {
      if (isThere) throw thrown
      return []
    }
  }
  try {
    return (await Promise.all(capabilities.map(foundBy))).flat()
  } finally {
    await store?.close()
  }
}

function parsed(args: string[]) {
  try {
    const flag = { type: 'boolean', default: false } as const
    const options = { untrusted: flag, stdin: flag }
    return parseArgs({ args, options, allowPositionals: true })
  } catch (thrown) {
    throw new UsageFault(reasonOf(thrown), usage)
  }
}

function toolNamed(name: string, tools: Tool[], { tiers }: Config): Tool {
  const tool = tools.find((one) => one.name === name)
  if (tool === undefined) {
    const names = tools.map((one) => one.name).join(', ')
    throw new UsageFault(cliWords.noTool({ name: JSON.stringify(name), names }), usage)
  }
  if (Object.hasOwn(tiers, name) && tiers[name]?.enabled === false)
    throw new UsageFault(`${name} is switched off, so it can’t be called.`, cliWords.toolOffRemedy())
  return tool
}

function inputFor(tool: Tool, text: string): never {
  let json: Json
  try {
    json = parseJson(text)
  } catch (thrown) {
    throw new UsageFault(
      cliWords.argumentsUnparsable({ reason: reasonOf(thrown) }),
      cliWords.argumentsNotJsonRemedy({ example: `policy explain ${tool.name} '{"name": "value"}'` }),
    )
  }
  return checked(tool, json)
}

function checked(tool: Tool, json: Json): never {
  const result = tool.input.safeParse(json)
  if (result.success) return result.data
  const issues = result.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
  throw new UsageFault(
    cliWords.argumentsUnfit({ name: tool.name, issues: issues.join('; ') }),
    cliWords.argumentsUnfitRemedy(),
  )
}
