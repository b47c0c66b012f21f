import { agents } from '../capabilities/agents/agents.ts'
import { alarms } from '../capabilities/alarms/alarms.ts'
import { commands } from '../capabilities/commands/commands.ts'
import { compositions } from '../capabilities/compositions/compositions.ts'
import { context } from '../capabilities/context/context.ts'
import { delegation } from '../capabilities/delegation/delegation.ts'
import { documents } from '../capabilities/documents/documents.ts'
import { ending } from '../capabilities/ending/ending.ts'
import { files } from '../capabilities/files/files.ts'
import { mcp } from '../capabilities/mcp/mcp.ts'
import { moreTools } from '../capabilities/more-tools/more-tools.ts'
import { planning } from '../capabilities/planning/planning.ts'
import { plans } from '../capabilities/plans/plans.ts'
import { questions } from '../capabilities/questions/questions.ts'
import { skills } from '../capabilities/skills/skills.ts'
import { spending } from '../capabilities/spending/spending.ts'
import { telemetry } from '../capabilities/telemetry/telemetry.ts'
import { todos } from '../capabilities/todos/todos.ts'
import { web } from '../capabilities/web/web.ts'
import type { SettingsSection } from '../config/section.ts'
import type { Tool } from '../domain/tool.ts'
import type { Capability } from '../turn/port/capability.ts'

/** What Bobbin can do. The order must not change, or the provider can't cache the prompt. */
export const builtinCapabilities: readonly Capability[] = [
  files,
  documents,
  web,
  commands,
  alarms,
  questions,
  todos,
  ending,
  context,
  spending,
  telemetry,
  skills,
  mcp,
  planning,
  compositions,
  agents,
  delegation,
  moreTools,
  plans,
]

export const builtinTools: Tool[] = builtinCapabilities.flatMap(({ tools = [] }) => [...tools])

/** Their sections of `config/bobbin.yaml`. */
export const builtinSections: SettingsSection[] = builtinCapabilities.flatMap(({ settings = [] }) => settings)
