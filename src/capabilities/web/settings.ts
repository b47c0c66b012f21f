import { z } from 'zod'
import { camel } from '../../config/camel.ts'
import { bytes, milliseconds } from '../../config/figures.ts'
import type { SettingsSection } from '../../config/section.ts'

const sentTo = /^(http:\/\/)?(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/

const schema = z
  .strictObject({
    page_bytes: bytes,
    download_bytes: bytes,
    timeout_ms: milliseconds,
    results: z.int().min(1).max(50),
    secrets: z
      .record(
        z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'a name has capital letters, digits and _'),
        z
          .array(z.string().regex(sentTo, 'a host looks like api.example.com, *.example.com or http://localhost'))
          .min(1),
      )
      .default({}),
    search: z
      .strictObject({
        provider: z.enum(['searxng', 'brave', 'tavily', 'jina']),
        url: z.url({ protocol: /^https?$/ }).optional(),
      })
      .optional(),
  })
  .transform(({ secrets, ...rest }) => ({ ...camel(rest), secrets }))

/** For pages, searches and requests. `secrets`: the hosts to which each may be sent. */
export type WebSettings = z.infer<typeof schema>

export const webSection: SettingsSection<WebSettings> = {
  section: 'web',
  schema,
  secretNames: ({ secrets }) => Object.keys(secrets),
}
