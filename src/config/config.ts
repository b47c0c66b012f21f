import { join } from 'node:path'
import type { z } from 'zod'
import type { ModelPatience, ModelSlot } from '../kit/model/model.ts'
import type { Camel } from './camel.ts'
import type { rulesFile, toolsFile } from './rules.ts'
import type { bobbinFile } from './schema.ts'

type BobbinFile = Camel<z.infer<typeof bobbinFile>>

/** Everything that can be set, checked and frozen. */
export interface Config extends Omit<BobbinFile, 'plugins' | 'slack'> {
  /** Absolute paths. */
  dataDir: string
  configDir: string
  logLevel: string
  plugins: { path: string; options: Record<string, unknown> }[]
  /** Sections of `bobbin.yaml` that capabilities bring, as they stand there: `settingsIn` reads them. */
  sections: Readonly<Record<string, unknown>>
  model: {
    base: ModelSlot | undefined
    /** What images go to: a model of its own, or `base` itself when that is known to see. */
    vision: ModelSlot | undefined
    patience: ModelPatience
  }
  rules: z.infer<typeof rulesFile>
  /** Of tools that are not core: `config/tools.yaml`. */
  tiers: z.infer<typeof toolsFile>['tools']
  /** Of the search provider. */
  searchKey: string | undefined
  /** Undefined where it is not connected. */
  slack: SlackAccount | undefined
  discord: DiscordAccount | undefined
}

export interface SlackAccount {
  botToken: string
  /** With it, Socket Mode; else requests come in over HTTP, signed with the secret. */
  appToken: string | undefined
  signingSecret: string | undefined
  apiUrl: string | undefined
  http: { host: string; port: number } | undefined
}

export interface DiscordAccount {
  token: string
  apiUrl: string | undefined
}

/** What is wrong with the configuration, where, and how to mend it. Lines and columns count from 1. */
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

export const databaseFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'bobbin.db')
