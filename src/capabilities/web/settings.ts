import { z } from 'zod'
import { camel } from '../../config/camel.ts'
import { bytes, milliseconds } from '../../config/figures.ts'
import type { SettingsSection } from '../../config/section.ts'

const schema = z
  .strictObject({
    page_bytes: bytes,
    download_bytes: bytes,
    timeout_ms: milliseconds,
    results: z.int().min(1).max(50),
    search: z
      .strictObject({
        provider: z.enum(['searxng', 'brave', 'tavily', 'jina']),
        url: z.url({ protocol: /^https?$/ }).optional(),
      })
      .optional(),
  })
  .transform(camel)

/** For pages and searches. */
export type WebSettings = z.infer<typeof schema>

export const webSection: SettingsSection<WebSettings> = { section: 'web', schema }
