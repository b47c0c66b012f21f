import { positives } from '../positives.ts'
import { type Draw, draws } from './draw.ts'

export interface Secret {
  text: string
  /** Nothing of it may be left. */
  secret: string
}

const of = (...parts: string[]): string => parts.join('')
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const upper = (draw: Draw, length: number): string => draw.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', length)
/** A short password without a digit is a word. A long token may well have none. */
const mixed = (draw: Draw, length: number): string =>
  length < 20 ? `${draw.letters(length - 4)}a7Qz` : draw.letters(length)

/** Valid in shape, and of nobody. In pieces, so that no scanner takes this file for a leak. */
const forms: ((draw: Draw) => string)[] = [
  (draw) => of('AKI', 'A', upper(draw, 16)),
  (draw) => of('ASI', 'A', upper(draw, 16)),
  (draw) => of(draw.of(['ghp', 'gho', 'ghu', 'ghs', 'ghr']), '_', mixed(draw, 36)),
  (draw) => of('github', '_pat_', mixed(draw, 22), '_', mixed(draw, 59)),
  (draw) => of('glp', 'at-', mixed(draw, 20)),
  (draw) => of('xox', 'b-', draw.digits(12), '-', draw.digits(12), '-', mixed(draw, 24)),
  (draw) => of('xox', 'p-', draw.digits(12), '-', draw.digits(12), '-', draw.digits(12), '-', draw.hex(32)),
  (draw) => of('xap', 'p-1-A', upper(draw, 10), '-', draw.digits(13), '-', draw.hex(64)),
  (draw) => of('sk', '-', mixed(draw, 48)),
  (draw) => of('sk', '-proj-', draw.base64url(74), 'T3Blbk', 'FJ', draw.base64url(74)),
  (draw) => of('sk', draw.of(['-None-', '-shop-bot-']), mixed(draw, 20), 'T3Blbk', 'FJ', mixed(draw, 20)),
  (draw) => of('sk', draw.of(['-ant-api03-', '-ant-oat01-', '-ant-admin01-']), draw.base64url(93), 'AA'),
  (draw) => of('sk', '-', draw.base64url(20), 'aQ'),
  (draw) => of('sk', '-lf-', draw.uuid()),
  (draw) => of('sk', '-or-v1-', draw.hex(64)),
  (draw) => of('gs', 'k_', mixed(draw, 52)),
  (draw) => of('xa', 'i-', mixed(draw, 80)),
  (draw) => of('AI', 'za', mixed(draw, 35)),
  (draw) => of('GOC', 'SPX-', mixed(draw, 28)),
  (draw) => of('ya', '29.', mixed(draw, 60)),
  (draw) => of(draw.of(['sk', 'rk']), draw.of(['_live_', '_test_']), mixed(draw, 24)),
  (draw) => of('whs', 'ec_', mixed(draw, 32)),
  (draw) => of('S', 'G.', mixed(draw, 22), '.', mixed(draw, 43)),
  (draw) => of('np', 'm_', mixed(draw, 36)),
  (draw) => of('pyp', 'i-AgEIcHlwaS5vcmc', mixed(draw, 60)),
  (draw) => of('h', 'f_', mixed(draw, 34)),
  (draw) => of('do', 'p_v1_', draw.hex(64)),
  (draw) => of(draw.digits(9), '7', ':AA', mixed(draw, 33)),
  (draw) => of('shp', 'at_', draw.hex(32)),
  (draw) => of('li', 'n_api_', mixed(draw, 40)),
  (draw) => of('dck', 'r_pat_', mixed(draw, 27)),
  (draw) => of('da', 'pi', draw.hex(32)),
  (draw) => of('hv', 's.', mixed(draw, 24)),
  (draw) => of('tv', 'ly-', mixed(draw, 32)),
  (draw) => of('gl', 'sa_', mixed(draw, 32), '_', draw.hex(8)),
  (draw) => of('PM', 'AK-', draw.hex(24), '-', draw.hex(34)),
  (draw) => of('fi', 'gd_', mixed(draw, 40)),
  (draw) => of('nv', 'api-', mixed(draw, 64)),
  (draw) => of('pat', '-na1-', draw.uuid()),
  (draw) => of('sq0', 'atp-', mixed(draw, 22)),
  (draw) => of('xke', 'ysib-', draw.hex(64), '-', mixed(draw, 16)),
  (draw) => of('abc', '8Q~', mixed(draw, 34)),
  (draw) => of(encoded({ alg: 'HS256', typ: 'JWT' }), '.', encoded({ sub: draw.digits(9) }), '.', mixed(draw, 43)),
  (draw) => of(Buffer.from(`8${draw.digits(17)}`).toString('base64url'), '.', mixed(draw, 6), '.', mixed(draw, 38)),
  (draw) =>
    of(encoded({ alg: 'dir', enc: 'A256GCM' }), '..', mixed(draw, 16), '.', mixed(draw, 60), '.', mixed(draw, 22)),
  (draw) => of('ABS', 'K', draw.base64(128)),
  (draw) => of('AQ', '.Ab8RN6', draw.base64url(44)),
  (draw) => of('1/', '/0', draw.base64url(98)),
  (draw) => of('mf', 'a.', draw.base64url(84)),
  (draw) => of('sk', '_org_live_', mixed(draw, 40)),
  (draw) => of(mixed(draw, 52), 'JQQ', 'J99', mixed(draw, 26)),
  (draw) => of(mixed(draw, 76), 'AZ', 'DO', draw.letters(4)),
  (draw) => of(draw.letters(14), '.atlas', 'v1.', mixed(draw, 66)),
  (draw) => of(draw.hex(32), '-', 'us', draw.digits(1), '1'),
  (draw) => of('2/', draw.digits(16), '/', draw.digits(16), ':', draw.hex(32)),
  (draw) => of(draw.of(['vcp', 'vck']), '_', mixed(draw, 24)),
  (draw) => of(draw.of(['cfut', 'cfat', 'cfk']), '_', mixed(draw, 40)),
  (draw) => of('pa', 't', draw.letters(14), '.', draw.hex(64)),
  (draw) => of('CCI', 'PAT_', mixed(draw, 22), '_', draw.hex(40)),
  (draw) => of('EA', 'A', mixed(draw, 150)),
  (draw) => of('pcs', 'k_', draw.letters(6), '_', mixed(draw, 63)),
  (draw) => of('r', 'e_', draw.letters(8), '_', mixed(draw, 24)),
  (draw) => of('dck', 'r_oat_', mixed(draw, 32)),
  (draw) => of('e2', 'b_', draw.hex(40)),
  (draw) => of('f', 'c-', draw.hex(32)),
  (draw) => of('AK', 'Cp', mixed(draw, 69)),
  (draw) => of('xwf', 'p-', draw.digits(12), '-', mixed(draw, 24)),
  (draw) => of('vercel', '_blob_rw_', mixed(draw, 20), '_', mixed(draw, 30)),
  (draw) => of('access', '-production-', draw.uuid()),
  (draw) => of('sd', 'k-', draw.uuid()),
  (draw) => of('SWM', 'TKN-1-', draw.hex(50), '-', draw.hex(25)),
  (draw) => of('AT', 'TA', draw.hex(72)),
  (draw) => of('p', 'k_', draw.digits(8), '_', upper(draw, 32)),
  (draw) => of('rp', 'a_', upper(draw, 40)),
  (draw) => of('wandb', '_v1_', mixed(draw, 60)),
  (draw) => of('p', 'a-', draw.base64url(41), '7z'),
  (draw) => of('a', 's-', mixed(draw, 20), '7z'),
  (draw) => of('esec', 'ret_', draw.hex(26)),
  (draw) => of('pdl', '_live_apikey_', draw.hex(26), '_', mixed(draw, 22), '_7zK'),
  (draw) => of('li', 've_', mixed(draw, 30)),
  (draw) => of('AV', 'NS_', draw.letters(17), '7z'),
  (draw) => of('api', '_org_', mixed(draw, 34)),
  (draw) => of('nse', 'c1', draw.text('023456789acdefghjklmnpqrstuvwxyz', 58)),
  (draw) => of('dG9', 'rO', draw.base64(54), '='),
  (draw) => Buffer.from(JSON.stringify({ k: draw.letters(32), n: 'app', id: 1 })).toString('base64'),
  (draw) => Buffer.from(JSON.stringify({ a: draw.hex(32), t: draw.uuid(), s: base64(draw, 32) })).toString('base64'),
  (draw) => of('A'.repeat(21), draw.letters(30), '%3', 'D', mixed(draw, 50)),
  (draw) => of('hooks.sla', 'ck.com/services/T', upper(draw, 8), '/B', upper(draw, 8), '/', mixed(draw, 24)),
]

const around: ((secret: string, draw: Draw) => string)[] = [
  (secret) => secret,
  (secret) => `use ${secret}, please`,
  (secret) => `KEY=${secret}\nNEXT=1`,
  (secret) => `{"value":"${secret}"}`,
  (secret) => `{\\"value\\":\\"${secret}\\"}`,
  (secret) => `| name | ${secret} |`,
  (secret) => `curl -H 'X-Key: ${secret}' https://api.test`,
  (secret) => `https://api.test/?page_token=${secret}&n=2`,
  (secret) => `nextPageToken: '${secret}'`,
  (secret) => `csrf_token="${secret}"`,
  (secret) => `- ${secret}\n- next`,
  (secret) => `<value>${secret}</value>`,
  (secret, draw) => `${draw.uuid()} ${secret} ${draw.hex(40)}`,
  (secret) => `Der Schlüssel「${secret}」ist neu`,
  (secret) => `export const key = \`${secret}\``,
  (secret) => `ana:\n    value: ${secret} # new`,
]

/** Secrets without a form, known by the name beside them. */
const named: ((draw: Draw) => [before: string, secret: string, after: string])[] = [
  (draw) => [draw.of(['DB_PASSWORD=', 'PGPASSWORD=', 'export ADMIN_PASSWORD=']), mixed(draw, 12), '\n'],
  (draw) => ['{"password": "', mixed(draw, 10), '"}'],
  (draw) => [draw.of(['api_key: ', 'x-api-key: ', 'apiKey = "', 'API_KEY="']), draw.hex(31).concat('a'), '\n'],
  (draw) => ['client_secret=', mixed(draw, 32), '&grant_type=client_credentials'],
  (draw) => [
    draw.of(['access_token=', 'refresh_token=', 'auth_token: ', 'session_token: ', 'bot_token: ']),
    mixed(draw, 40),
    '\n',
  ],
  (draw) => ['aws_secret_access_key = ', `${mixed(draw, 20)}/${mixed(draw, 19)}`, '\n'],
  (draw) => ['Authorization: Bearer ', mixed(draw, 40), '\n'],
  (draw) => ['Authorization: Basic ', Buffer.from(`ana:${mixed(draw, 9)}`).toString('base64'), '\n'],
  (draw) => ['postgres://app:', mixed(draw, 10), '@db.internal:5432/app'],
  (draw) => ['redis://:', mixed(draw, 8), '@cache:6379/0'],
  (draw) => ['https://ana:', mixed(draw, 20), '@git.test/ana/x.git'],
  (draw) => ['HEROKU_API_KEY=', draw.uuid(), '\n'],
  (draw) => ['"token": "', draw.uuid(), '"'],
  (draw) => ['DefaultEndpointsProtocol=https;AccountKey=', `${draw.base64(82)}7a==`, ';EndpointSuffix=x'],
  (draw) => ['mysql --password ', mixed(draw, 10), ' -u app'],
  (draw) => [
    draw.of(['AZURE_OPENAI_KEY=', 'Ocp-Apim-Subscription-Key: ', 'DD_APP_KEY=', 'DD-APPLICATION-KEY: ', 'AES_KEY=']),
    draw.hex(32),
    '\n',
  ],
  (draw) => [
    draw.of(['APP_KEY=base64:', 'AIRFLOW__CORE__FERNET_KEY=', 'JWT_KEY=', 'PresharedKey = ', 'Private key: ']),
    base64(draw, 32),
    '\n',
  ],
  (draw) => [draw.of(['TWITTER_CONSUMER_KEY=', 'ALGOLIA_ADMIN_KEY=', 'MISTRAL_KEY=']), mixed(draw, 32), '\n'],
  (draw) => ['AZURE_DEVOPS_PAT=', upper(draw, 52).toLowerCase(), '\n'],
  (draw) => ['MJ_APIKEY_PRIVATE=', draw.hex(32), '\n'],
  (draw) => [
    draw.of(['Authorization: GenieKey ', 'Authorization: Splunk ', 'Authorization: DeepL-Auth-Key ']),
    draw.uuid(),
    '',
  ],
  (draw) => [draw.of(['Authorization: SSWS ', 'authorization: JWT ', 'Authorization: Api-Key ']), mixed(draw, 40), ''],
  (draw) => ['Cookie: theme=dark; sessionid=', mixed(draw, 32), '; lang=de'],
  (draw) => ['Set-Cookie: connect.sid=', `s%3A${mixed(draw, 32)}.${mixed(draw, 43)}`, '; Path=/; HttpOnly'],
  (draw) => ['https://a.logic.azure.com/invoke?sv=1.0&sig=', base64url(draw, 32), ''],
  (draw) => [
    'https://a.webhook.office.com/webhookb2/',
    `${draw.uuid()}@${draw.uuid()}/IncomingWebhook/${draw.hex(32)}/${draw.uuid()}`,
    '',
  ],
  (draw) => ['https://hooks.zapier.com/hooks/catch/', `${draw.digits(7)}/b7q${draw.hex(4)}`, '/'],
  (draw) => ['SECRET_KEY_BASE=', draw.hex(64), '\n'],
]

/** Those by hand, every form in every surrounding, and names with values. */
export function secretTexts(seed = 1): Secret[] {
  const draw = draws(seed)
  const byHand = positives.map(({ before = '', secret, after = '' }) => ({ text: before + secret + after, secret }))
  const byForm = forms.flatMap((form) =>
    around.map((surround) => {
      const secret = form(draw)
      return { text: surround(secret, draw), secret }
    }),
  )
  const byName = named.flatMap((make) =>
    Array.from({ length: 8 }, () => {
      const [before, secret, after] = make(draw)
      return { text: before + secret + after, secret }
    }),
  )
  return [...byHand, ...byForm, ...byName]
}

const bothCases = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const bytes = (draw: Draw, length: number): Buffer => Buffer.from(Array.from({ length }, () => draw.below(256)))
const base64 = (draw: Draw, length: number): string => bytes(draw, length).toString('base64')
const base64url = (draw: Draw, length: number): string => bytes(draw, length).toString('base64url')

/** What usual generators give, with or without a digit, beside a name. `most`: how many of 1,000 may get through. */
export const generated: { before: string; make: (draw: Draw) => string; after: string; most: number }[] = [
  { before: 'API_TOKEN=', make: (draw) => base64url(draw, 24), after: '\n', most: 1 },
  { before: 'API_TOKEN=', make: (draw) => base64url(draw, 32), after: '\n', most: 0 },
  { before: 'CLOUDFLARE_API_TOKEN=', make: (draw) => draw.base64url(40), after: '\n', most: 0 },
  { before: 'SECRET_KEY=', make: (draw) => base64(draw, 32), after: '\n', most: 0 },
  { before: 'PrivateKey = ', make: (draw) => base64(draw, 32), after: '\n', most: 0 },
  { before: '"client_secret": "', make: (draw) => base64(draw, 32), after: '"', most: 0 },
  { before: '"client_secret": "', make: (draw) => base64url(draw, 24), after: '"', most: 0 },
  { before: '"SecretAccessKey": "', make: (draw) => base64(draw, 30), after: '"', most: 1 },
  { before: 'Authorization: Bearer ', make: (draw) => base64url(draw, 24), after: '', most: 0 },
  { before: 'api_key=', make: (draw) => draw.hex(32), after: '\n', most: 0 },
  { before: 'PRIVATE-TOKEN: ', make: (draw) => draw.base64url(20), after: '', most: 5 },
  { before: 'VONAGE_API_SECRET=', make: (draw) => draw.letters(16), after: '\n', most: 10 },
  { before: 'password=', make: (draw) => base64url(draw, 12), after: '\n', most: 2 },
  { before: 'DB_PASSWORD=', make: (draw) => draw.text(bothCases, 16), after: '\n', most: 10 },
  { before: '"password": "', make: (draw) => draw.text(bothCases, 14), after: '"', most: 20 },
]
