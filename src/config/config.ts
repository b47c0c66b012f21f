import { join } from 'node:path'
import type { z } from 'zod'
import type { EmbeddingSlot, ModelPatience, ModelSlot, SlotName } from '../kit/model/model.ts'
import type { budgetsFile } from './budgets.ts'
import type { Camel } from './camel.ts'
import type { rulesFile, toolsFile } from './rules.ts'
import type { bobbinFile } from './schema.ts'

type BobbinFile = Camel<z.infer<typeof bobbinFile>>

/** All settings, checked and frozen. */
export interface Config extends Omit<BobbinFile, 'plugins' | 'slack'> {
  /** Absolute paths. */
  dataDir: string
  configDir: string
  /** Of a PostgreSQL server; undefined for SQLite. */
  databaseUrl: string | undefined
  /** The name of this one among several processes on one PostgreSQL database; undefined with SQLite. */
  node: string | undefined
  logLevel: string
  plugins: { path: string; options: Record<string, unknown> }[]
  /** Sections of `bobbin.yaml` for capabilities, and their own files, unchecked: `settingsIn` reads them. */
  sections: Readonly<Record<string, unknown>>
  /** The environment variables that capabilities' files refer to as `${NAME}` or name as secrets, with their values. */
  variables: Readonly<Record<string, string>>
  /** Where programs are looked for. */
  searchPath: string
  /** The slots that are set up. Images go to `vision`: its own slot, or `base` if that is known to see. */
  model: Record<SlotName, ModelSlot | undefined> & {
    /** Makes vectors of texts, so that they are found by their meaning. */
    embedding: EmbeddingSlot | undefined
    patience: ModelPatience
    /** When a model that keeps failing is left alone. */
    fallBack: { afterFailures: number; restMs: number }
    probeAtStart: boolean
    /** When the prices were looked up. */
    pricesOf: string
  }
  rules: z.infer<typeof rulesFile>
  /** `config/budgets.yaml`. */
  budgets: z.infer<typeof budgetsFile>
  /** How tools that aren't core are loaded: `config/tools.yaml`. */
  tiers: z.infer<typeof toolsFile>['tools']
  /** The key of the search provider. */
  searchKey: string | undefined
  /** Undefined if not connected. */
  slack: SlackAccount | undefined
  discord: DiscordAccount | undefined
}

export interface SlackAccount {
  botToken: string
  /** With it, Socket Mode is used; without, requests come over HTTP and are signed with the secret. */
  appToken: string | undefined
  signingSecret: string | undefined
  apiUrl: string | undefined
  http: { host: string; port: number } | undefined
}

export interface DiscordAccount {
  token: string
  apiUrl: string | undefined
}

/** What is wrong with the configuration, where, and how to fix it. Lines and columns count from 1. */
export interface Complaint {
  file: string
  line?: number
  column?: number
  message: string
  remedy: string
}

export function complaintText({ file, line, column, message, remedy }: Complaint): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`
  return `${place}: ${message}. ${remedy}`
}

/** The address of the PostgreSQL server, or else SQLite's file. */
export const databasePlace = ({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): string =>
  databaseUrl ?? join(dataDir, 'bobbin.db')

export type BudgetLimit = Config['budgets']['limits'][number]
