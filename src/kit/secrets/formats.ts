/**
 * A token format with a known beginning. `body` follows it, in at least the length that it asks for. With `word`, the
 * beginning must start a word, because it is short or made of letters. The first `visible` characters aren't secret and
 * stay.
 */
export interface Format {
  kind: string
  starts: string[]
  body: RegExp
  word?: boolean
  visible?: boolean
}

// All are sticky, and none can match in two ways: no backtracking beyond its own bounds.
const letters = (least: number): RegExp => new RegExp(`[A-Za-z0-9]{${least},1024}`, 'y')
const dashed = (least: number): RegExp => new RegExp(`[A-Za-z0-9_-]{${least},1024}`, 'y')
const dotted = (least: number): RegExp => new RegExp(`[A-Za-z0-9_.-]{${least},2048}(?<![.-])`, 'y')
const hex = (least: number): RegExp => new RegExp(`[0-9a-f]{${least},256}`, 'y')

/** Formats as their providers publish them, partly checked against public rule lists in 2026. */
export const formats: Format[] = [
  { kind: 'a token of the console', starts: ['bobbin_'], body: dashed(32), word: true },
  { kind: 'an AWS access key id', starts: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], body: /[A-Z0-9]{16,128}/y, word: true },
  { kind: 'a GitHub token', starts: ['ghp_', 'gho_', 'ghu_', 'ghr_', 'github_pat_'], body: /[A-Za-z0-9_]{36,255}/y },
  { kind: 'a GitHub token', starts: ['ghs_'], body: dotted(36) },
  {
    kind: 'a GitLab token',
    starts: [
      'glpat-',
      'gldt-',
      'glrt-',
      'glptt-',
      'glcbt-',
      'glft-',
      'glsoat-',
      'glagent-',
      'gloas-',
      'glimt-',
      'glffct-',
    ],
    body: dotted(20),
  },
  {
    kind: 'a Slack token',
    starts: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxo-', 'xoxs-', 'xoxr-', 'xoxe-', 'xoxc-', 'xoxd-'],
    body: /[A-Za-z0-9%-]{12,1024}/y,
  },
  { kind: 'a Slack token', starts: ['xoxe.xoxp-', 'xoxe.xoxb-'], body: dashed(12) },
  { kind: 'a Slack token', starts: ['xapp-'], body: dashed(20) },
  {
    kind: 'a Slack webhook',
    starts: ['hooks.slack.com/services/', 'hooks.slack.com/workflows/', 'hooks.slack.com/triggers/'],
    body: /[A-Z0-9]{6,16}\/[A-Za-z0-9/_-]{12,128}/y,
  },
  {
    kind: 'a Discord webhook',
    starts: ['discord.com/api/', 'discordapp.com/api/'],
    body: /(?:v[0-9]{1,2}\/)?webhooks\/[0-9]{17,20}\/[A-Za-z0-9_-]{40,128}/y,
  },
  { kind: 'an Anthropic key', starts: ['sk-ant-'], body: dashed(20) },
  { kind: 'an OpenAI key', starts: ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], body: dashed(20) },
  { kind: 'an OpenRouter key', starts: ['sk-or-v1-'], body: hex(32) },
  { kind: 'an OpenAI key', starts: ['sk-'], body: letters(20), word: true },
  { kind: 'a Groq key', starts: ['gsk_'], body: letters(40) },
  { kind: 'an xAI key', starts: ['xai-'], body: letters(40), word: true },
  { kind: 'a Perplexity key', starts: ['pplx-'], body: letters(40) },
  { kind: 'a Replicate token', starts: ['r8_'], body: letters(32), word: true },
  { kind: 'a Tavily key', starts: ['tvly-'], body: dashed(20) },
  { kind: 'a Jina key', starts: ['jina_'], body: dashed(32) },
  { kind: 'a Google API key', starts: ['AIza'], body: dashed(35), word: true },
  { kind: 'a Google OAuth client secret', starts: ['GOCSPX-'], body: dashed(20) },
  { kind: 'a Google access token', starts: ['ya29.'], body: dashed(20), word: true },
  { kind: 'a Stripe key', starts: ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'], body: letters(16) },
  { kind: 'a webhook signing secret', starts: ['whsec_'], body: /[A-Za-z0-9+/=]{24,256}/y },
  { kind: 'a Twilio key', starts: ['SK'], body: hex(32), word: true },
  { kind: 'a SendGrid key', starts: ['SG.'], body: /[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,128}/y, word: true },
  { kind: 'a Mailgun key', starts: ['key-'], body: /[0-9a-f]{32}(?![0-9a-f]{8})/y, word: true },
  { kind: 'an npm token', starts: ['npm_'], body: letters(36), word: true },
  { kind: 'a PyPI token', starts: ['pypi-AgE'], body: dashed(50) },
  { kind: 'a RubyGems key', starts: ['rubygems_'], body: hex(48) },
  { kind: 'a Docker Hub token', starts: ['dckr_pat_'], body: dashed(20) },
  { kind: 'a Hugging Face token', starts: ['hf_'], body: letters(30), word: true },
  { kind: 'a DigitalOcean token', starts: ['dop_v1_', 'doo_v1_', 'dor_v1_'], body: hex(64) },
  { kind: 'a Shopify token', starts: ['shpat_', 'shpss_', 'shpca_', 'shppa_'], body: /[0-9A-Fa-f]{32,64}/y },
  { kind: 'a Linear key', starts: ['lin_api_'], body: letters(32) },
  { kind: 'a Notion token', starts: ['ntn_', 'secret_'], body: letters(40), word: true },
  { kind: 'an Atlassian token', starts: ['ATATT3'], body: /[A-Za-z0-9_=-]{50,512}/y, word: true },
  { kind: 'a Grafana token', starts: ['glsa_', 'glc_eyJ'], body: /[A-Za-z0-9_+/=]{32,512}/y },
  { kind: 'a Vault token', starts: ['hvs.', 'hvb.'], body: dashed(24), word: true },
  { kind: 'a Databricks token', starts: ['dapi'], body: /[0-9a-f]{32,64}(?:-[0-9])?/y, word: true },
  { kind: 'a Doppler token', starts: ['dp.pt.', 'dp.st.', 'dp.ct.'], body: dotted(40), word: true },
  { kind: 'a Postman key', starts: ['PMAK-'], body: dashed(40), word: true },
  { kind: 'a Sentry token', starts: ['sntrys_', 'sntryu_'], body: /[A-Za-z0-9_+/=]{40,1024}/y },
  { kind: 'a Supabase key', starts: ['sbp_', 'sb_secret_'], body: dashed(20), word: true },
  { kind: 'a Tailscale key', starts: ['tskey-'], body: dashed(16) },
  { kind: 'a Pulumi token', starts: ['pul-'], body: hex(40), word: true },
  { kind: 'a PlanetScale key', starts: ['pscale_pw_', 'pscale_tkn_', 'pscale_oauth_'], body: dotted(32) },
  { kind: 'an NVIDIA key', starts: ['nvapi-'], body: dashed(40), word: true },
  { kind: 'a LangSmith key', starts: ['lsv2_pt_', 'lsv2_sk_'], body: /[0-9a-f]{32}_[0-9a-f]{10}/y },
  { kind: 'a Fireworks key', starts: ['fw_'], body: letters(24), word: true },
  { kind: 'a Together key', starts: ['tgp_v1_'], body: dashed(40) },
  { kind: 'an ElevenLabs key', starts: ['sk_'], body: hex(48), word: true },
  {
    kind: 'a HubSpot token',
    starts: ['pat-na1-', 'pat-eu1-'],
    body: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/y,
    word: true,
  },
  { kind: 'a New Relic key', starts: ['NRAK-'], body: /[A-Z0-9]{27,64}/y, word: true },
  { kind: 'a Square token', starts: ['sq0atp-', 'sq0csp-'], body: dashed(22) },
  { kind: 'a Dynatrace token', starts: ['dt0c01.', 'dt0s01.'], body: /[A-Z0-9]{24}\.[A-Z0-9]{64}/y },
  { kind: 'a Netlify token', starts: ['nfp_'], body: letters(36), word: true },
  { kind: 'a Heroku key', starts: ['HRKU-'], body: dashed(36), word: true },
  { kind: 'a Clojars token', starts: ['CLOJARS_'], body: /[0-9a-z]{60}/y },
  { kind: 'a Bitbucket token', starts: ['ATBB', 'ATCTT3'], body: /[A-Za-z0-9_=-]{32,512}/y, word: true },
  { kind: 'a PostHog key', starts: ['phx_'], body: letters(40), word: true },
  { kind: 'a Fly.io token', starts: ['fm2_', 'fo1_'], body: /[A-Za-z0-9_+/=-]{40,2048}/y, word: true },
  { kind: 'a Brevo key', starts: ['xkeysib-'], body: /[0-9a-f]{64}-[A-Za-z0-9]{16}/y },
  { kind: 'an age key', starts: ['AGE-SECRET-KEY-1'], body: /[A-Z0-9]{58}/y },
  { kind: 'a 1Password token', starts: ['ops_eyJ'], body: /[A-Za-z0-9+/=_-]{100,4096}/y },
  { kind: 'a Figma token', starts: ['figd_'], body: dashed(36) },
  { kind: 'an Azure storage key', starts: ['AccountKey='], body: /[A-Za-z0-9+/]{40,128}={0,2}/y, visible: true },
  { kind: 'an Azure access key', starts: ['SharedAccessKey='], body: /[A-Za-z0-9+/]{40,128}={0,2}/y, visible: true },
  { kind: 'an Azure signature', starts: ['&sig=', '?sig='], body: /[A-Za-z0-9%+/]{40,128}={0,2}/y, visible: true },
]
