import { z } from 'zod'
import type { SettingsSection } from '../../config/section.ts'

/** `name=value,name=value`, percent-encoded, as OpenTelemetry writes headers. */
function headersIn(text: string): Record<string, string> | undefined {
  const pairs = text.split(',').map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return [name.trim(), decoded(value.join('=').trim())] as const
  })
  return pairs.every(([name, value]) => /^[\w.-]+$/.test(name) && value !== '' && /^[\x20-\x7e]*$/.test(value))
    ? Object.fromEntries(pairs)
    : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign that isn't part of an encoding stands for itself.
    return text
  }
}

const schema = z
  .strictObject({
    endpoint: z
      .url({ protocol: /^https?$/ })
      .refine((url) => URL.parse(url)?.password === '', 'a password belongs in OTEL_EXPORTER_OTLP_HEADERS')
      .optional()
      .describe('The collector that gets traces and metrics (OTLP over HTTP)'),
    headers: z
      .string()
      .refine((text) => headersIn(text) !== undefined, 'it has to look like name=value,name=value')
      .optional()
      .describe('Sent with each request to it'),
    metrics_token: z.string().min(16).optional().describe('Lets a program read /metrics, and nothing else'),
  })
  .transform(({ endpoint, headers = '', metrics_token: metricsToken }) => ({
    endpoint,
    headers: headersIn(headers) ?? {},
    metricsToken,
  }))

/** Where traces and metrics go, and who may read metrics. */
export type TelemetrySettings = z.infer<typeof schema>

export const telemetrySection: SettingsSection<TelemetrySettings> = {
  section: 'telemetry',
  schema,
  variables: {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'endpoint',
    OTEL_EXPORTER_OTLP_HEADERS: 'headers',
    BOBBIN_METRICS_TOKEN: 'metrics_token',
  },
}

/** Where one kind of data goes: an address below the endpoint. */
export function addressOf(endpoint: string, kind: 'traces' | 'metrics'): string {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/${kind}`
  return url.href
}

const isKey = (name: string, value: string) => /auth|key|token|secret|password/i.test(name) || value.length >= 12

/** What must never be shown, with and without a first word such as `Bearer`. The short name of a team is no secret. */
export function secretsIn({ headers, metricsToken = '' }: TelemetrySettings): { name: string; value: string }[] {
  const keys = Object.entries(headers).filter(([name, value]) => isKey(name, value))
  const values = keys.flatMap(([, value]) => [value, value.replace(/^\w+ /, '')])
  return [
    ...values.map((value) => ({ name: 'telemetry header', value })),
    { name: 'metrics token', value: metricsToken },
  ]
}
