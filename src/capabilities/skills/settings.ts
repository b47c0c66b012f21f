import { z } from 'zod'
import { camel } from '../../config/camel.ts'
import { bytes, milliseconds } from '../../config/figures.ts'
import type { SettingsSection } from '../../config/section.ts'

const skill = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe('false: not in the catalogue, but still there for people who write @name'),
  auto_load_on_file_types: z
    .array(z.string().regex(/^\.[a-z0-9]{1,10}$/, 'Write an ending, such as .pdf'))
    .default([])
    .describe('Uploading such a file recommends the skill'),
  triggers: z
    .record(z.string().min(1), z.number().positive())
    .default({})
    .describe('Phrases that load it, with their weights'),
  trigger_mode: z
    .enum(['keyword', 'semantic', 'hybrid'])
    .optional()
    .describe('By phrases, by similarity to the skill’s description, or by both'),
  trigger_threshold: z.number().positive().optional().describe('From this score on: 1, 0.3 or 0.5 by its mode'),
})

const schema = z
  .strictObject({
    bytes: bytes.describe('All files of one skill, unpacked'),
    files: z.int().min(1).max(10_000),
    in_thread: z.int().min(1).max(50).describe('Skills that a thread may have loaded at once'),
    body_characters: z
      .int()
      .min(1_000)
      .describe('A longer SKILL.md is cut in the prompt; the model reads on in the file'),
    packages: z
      .strictObject({
        hosts: z.array(z.string().min(1)).describe('Which hosts installers may reach'),
        pip_index: z.url(),
        npm_registry: z.url(),
        timeout_ms: milliseconds,
        bytes,
      })
      .describe('Installing packages for other people’s skills'),
    skills: z.record(z.string(), skill),
  })
  .transform(({ skills, packages, ...limits }) => ({
    ...camel(limits),
    packages: camel(packages),
    skills: new Map(Object.entries(skills).map(([name, one]) => [name, camel(one)])),
  }))

export type SkillsSettings = z.infer<typeof schema>

export const skillsSection: SettingsSection<SkillsSettings> = { section: 'skills', file: 'skills.yaml', schema }
