import { z } from 'zod'
import { isZone } from '../kit/calendar/zone.ts'
import { budgetsFile } from './budgets.ts'
import { bytes, milliseconds } from './figures.ts'
import { modelsFile } from './models.ts'
import { rulesFile, toolsFile } from './rules.ts'
import type { SettingsSection } from './section.ts'
import { configWords } from './words.ts'

const ids = z.array(z.string().min(1))

/** Without the sections of capabilities. */
export const bobbinFile = z.strictObject({
  server: z.strictObject({ host: z.string().min(1), port: z.int().min(0).max(65535), body_bytes: bytes }),
  console: z.strictObject({ projects: z.array(z.string().regex(/^[\p{L}\p{N}_-]{1,64}$/u)).min(1) }),
  agent: z.strictObject({
    max_steps: z.int().min(1).max(500),
    prompt_share: z.number().gt(0).lte(1),
    window_messages: z.int().min(10).max(100),
    max_calls_per_step: z.int().min(1).max(256),
    parallel_calls: z.int().min(1).max(64),
    message_bytes: z.int().min(1024),
    late_hours: z.number().positive(),
    time_zone: z
      .string()
      .refine((name) => name === 'machine' || isZone(name), { error: () => configWords.noTimeZone() }),
  }),
  engine: z.strictObject({
    turns_at_once: z.int().min(1).max(10_000),
    sweep_ms: milliseconds,
    silent_ms: z.int().min(500),
    clock_ms: milliseconds,
    text_flush_ms: milliseconds,
    crashes_at_step: z.int().min(1),
  }),
  uploads: z.strictObject({
    file_bytes: bytes,
    files_per_message: z.int().min(1).max(100),
    workspace_bytes: bytes,
    workspace_files: z.int().min(1),
    inline_bytes: z.int().min(0),
    image_bytes: bytes,
    images_at_once: z.int().min(0).max(100),
    images_bytes: bytes,
  }),
  tools: z.strictObject({
    timeout_ms: milliseconds,
    output_bytes: z.int().min(1024),
    read_bytes: z.int().min(1024),
    read_lines: z.int().min(1),
    line_characters: z.int().min(10),
    search_hint_bytes: bytes,
    list_entries: z.int().min(1),
    file_bytes: bytes,
    alarm_gap_ms: milliseconds,
  }),
  show: z.strictObject({
    first_ms: z.int().min(0),
    every_ms: z.int().min(500),
    most_messages: z.int().min(1).max(20),
    file_bytes: bytes,
  }),
  access: z.strictObject({
    tenants: ids,
    channels: ids,
    users: ids,
    bots: ids,
    other_workspaces: z.boolean(),
    bot_messages: z.int().min(0),
    bot_window_ms: milliseconds,
    threads: z.enum(['all', 'mentions']),
  }),
  slack: z.strictObject({ http_host: z.string().min(1), http_port: z.int().min(0).max(65535) }),
  keep: z.strictObject({
    idle_workspace_days: z.int().min(1),
    ignored_days: z.int().min(1),
    event_days: z.int().min(1),
    posting_days: z.int().min(30),
    change_days: z.int().min(1),
    import_messages: z.int().min(0).max(1000),
    catch_up_days: z.int().min(0),
  }),
  plugins: z.array(z.strictObject({ path: z.string().min(1), options: z.record(z.string(), z.unknown()).optional() })),
})

/** With the sections of capabilities. */
export const bobbinFileWith = (brought: readonly SettingsSection[]) =>
  bobbinFile.extend(
    Object.fromEntries(brought.flatMap(({ section, file, schema }) => (file === undefined ? [[section, schema]] : []))),
  )

/** The files of a config directory, each with its schema. */
export const configFiles = {
  'bobbin.yaml': bobbinFile,
  'models.yaml': modelsFile,
  'budgets.yaml': budgetsFile,
  'hitl_rules.yaml': rulesFile,
  'tools.yaml': toolsFile,
} as const
export type ConfigFileName = keyof typeof configFiles

/** The files of capabilities, each with its schema. */
export const filesOf = (brought: readonly SettingsSection[]): Record<string, z.ZodType> =>
  Object.fromEntries(brought.flatMap(({ file, schema }) => (file === undefined ? [] : [[file, schema]])))
