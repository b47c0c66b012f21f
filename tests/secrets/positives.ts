/**
 * Made-up secrets, put together here so that no scanner takes this file for a leak. `secret` must be gone from `text`
 * after masking, and all around it must stay.
 */
export interface Positive {
  kind: string
  before?: string
  secret: string
  after?: string
}

const letters = 'q7Rt2Kp9Zx4Wm8Bv5Nc1Lf6Hd3Jg0SyTaUeYiPoQwErMnVbCxZlKjHgFdSaPoIuYtReWqLkJhGfDsA'
const hexadecimal = '3f9a0c7e51d2b8468e1f70a9c4d3b6523f9a0c7e51d2b8468e1f70a9c4d3b652'
const mixed = (length: number): string => letters.slice(0, length)
const hex = (length: number): string => hexadecimal.slice(0, length)
const of = (...parts: string[]): string => parts.join('')

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const webToken = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ sub: '1234', name: 'Ana' })}.${mixed(43)}`

const keyLines = Array.from({ length: 5 }, (_, line) =>
  Buffer.from(`${line}${letters}`.slice(0, 48)).toString('base64'),
)
const dashes = '-----'
export const privateKey = (type: string, newline = '\n'): string =>
  [of(dashes, 'BEGIN ', type, dashes), ...keyLines, 'q7Rt2Kp9==', of(dashes, 'END ', type, dashes)].join(newline)

/** Each line of a key behind what `inFront` says, as grep and diff print it. The first is number 12. */
export const printedKey = (inFront: (line: number) => string, type = 'OPENSSH PRIVATE KEY', headers: string[] = []) => {
  const [first = '', ...rest] = privateKey(type).split('\n')
  return [first, ...headers, ...rest].map((line, at) => `${inFront(at + 12)}${line}`).join('\n')
}
/** With a sign where grep found the first line. */
const found = (line: number): string => (line === 12 ? ':' : '-')
export const inFront: ((line: number) => string)[] = [
  (line) => `${line}${found(line)}`,
  (line) => `${line}${found(line)} `,
  (line) => `a/id_rsa${found(line)}${line}${found(line)}`,
  (line) => `deploy-key:${line}:`,
  (line) => `a/id_rsa${found(line)}`,
  (line) => `b7e5be8f2d1c4a69:a/id-2${found(line)}${line}${found(line)}`,
  (line) => `${line}${found(line)} -`,
  () => '+',
  () => '-',
  () => '- ',
  () => '< ',
  (line) => (line === 12 ? ' ' : '+'),
]

const discordId = Buffer.from('812345678901234567').toString('base64url')
const discordToken = of(discordId, '.', 'GaBc1d', '.', mixed(38))

const tokens: [kind: string, secret: string][] = [
  ['an AWS access key id', of('AKIA', 'Q7RT2KP9ZX4WM8BV')],
  ['an AWS access key id', of('ASIA', 'Q7RT2KP9ZX4WM8BV')],
  ['a GitHub token', of('ghp', '_', mixed(36))],
  ['a GitHub token', of('gho', '_', mixed(36))],
  ['a GitHub token', of('ghs', '_', mixed(36))],
  ['a GitHub token', of('ghs', '_', '123456_', webToken)],
  ['a GitHub token', of('ghu', '_', mixed(36))],
  ['a GitHub token', of('github', '_pat_', mixed(22), '_', mixed(59))],
  ['a GitLab token', of('glpat', '-', mixed(20))],
  ['a GitLab token', of('glrt', '-', mixed(20))],
  ['a Slack token', of('xoxb', '-123456789012-123456789012-', mixed(24))],
  ['a Slack token', of('xoxp', '-123456789012-123456789012-123456789012-', hex(32))],
  ['a Slack token', of('xapp', '-1-A0123456789-1234567890123-', hex(64))],
  ['a Slack token', of('xoxe', '.xoxp-1-', mixed(60))],
  ['a Discord bot token', discordToken],
  ['an OpenAI key', of('sk', '-', mixed(48))],
  ['an OpenAI key', of('sk', '-proj-', mixed(40), '_', mixed(30))],
  ['an OpenAI key', of('sk', '-svcacct-', mixed(60))],
  ['an Anthropic key', of('sk', '-ant-api03-', mixed(60), '-', mixed(30), 'AA')],
  ['an OpenRouter key', of('sk', '-or-v1-', hex(64))],
  ['a Groq key', of('gsk', '_', mixed(52))],
  ['an xAI key', of('xai', '-', mixed(80))],
  ['a Google API key', of('AI', 'za', mixed(35))],
  ['a Google OAuth client secret', of('GOC', 'SPX-', mixed(28))],
  ['a Google access token', of('ya', '29.', mixed(60))],
  ['a Stripe key', of('sk', '_live_', mixed(24))],
  ['a Stripe key', of('rk', '_live_', mixed(24))],
  ['a Stripe key', of('sk', '_test_', mixed(24))],
  ['a webhook signing secret', of('wh', 'sec_', mixed(32))],
  ['a Twilio key', of('S', 'K', hex(32))],
  ['a SendGrid key', of('S', 'G.', mixed(22), '.', mixed(43))],
  ['a Mailgun key', of('key', '-', hex(32))],
  ['an npm token', of('npm', '_', mixed(36))],
  ['a PyPI token', of('pypi', '-AgEIcHlwaS5vcmc', mixed(60))],
  ['a Hugging Face token', of('hf', '_', mixed(34))],
  ['a DigitalOcean token', of('dop', '_v1_', hex(64))],
  ['a Telegram bot token', of('1234567890', ':AA', mixed(33))],
  ['a Shopify token', of('shp', 'at_', hex(32))],
  ['a Linear key', of('lin', '_api_', mixed(40))],
  ['a Docker Hub token', of('dckr', '_pat_', mixed(27))],
  ['a Databricks token', of('da', 'pi', hex(32))],
  ['a Vault token', of('hv', 's.', mixed(24))],
  ['an Azure client secret', of('abc', '8Q~', mixed(34))],
  ['a Tavily key', of('tv', 'ly-', mixed(32))],
  ['a Square or Facebook token', of('EA', 'AA', mixed(60))],
  ['a Square or Facebook token', of('EA', 'AA', mixed(80), mixed(80))],
  ['a Facebook token', of('EA', 'AB', mixed(80), mixed(80))],
  ['a Dropbox token', of('s', 'l.u.', mixed(80), '-', mixed(80))],
  ['a SonarQube token', of('sq', 'u_', hex(40))],
  ['a GitLab token', of('GR13', '48941', mixed(20))],
  ['a GitLab token', of('glrt', 'r-', mixed(20))],
  ['a New Relic key', of('NR', 'II-', mixed(32))],
  ['a New Relic key', of(hex(36), 'NR', 'AL')],
  ['a Fly.io token', of('fm', '1r_', mixed(80), mixed(60))],
  ['a Cloudflare key', of('v1', '.0-', hex(24), '-', hex(64), hex(64), hex(18))],
  ['an OpenShift token', of('sha', '256~', mixed(43))],
  ['a private key', Buffer.from(privateKey('RSA PRIVATE KEY')).toString('base64')],
  ['a private key', Buffer.from(privateKey('PRIVATE KEY')).toString('base64')],
  ['a private key', Buffer.from(privateKey('EC PRIVATE KEY')).toString('base64')],
  ['a private key', Buffer.from(privateKey('OPENSSH PRIVATE KEY')).toString('base64')],
  ['a private key', Buffer.from(privateKey('ENCRYPTED PRIVATE KEY')).toString('base64')],
  ['a JSON Web Token', webToken],
  ['a private key', privateKey('PRIVATE KEY')],
  ['a private key', privateKey('RSA PRIVATE KEY')],
  ['a private key', privateKey('OPENSSH PRIVATE KEY', '\\n')],
  ['a private key', privateKey('PGP PRIVATE KEY BLOCK', '\r\n')],
  ['a Slack webhook', of('hooks.slack', '.com/services/', 'T01ABCDEF/B01ABCDEF/', mixed(24))],
  ['a Discord webhook', of('discord', '.com/api/webhooks/', '812345678901234567/', mixed(68))],
  ['a Discord webhook', of('discord', '.com/api/v10/webhooks/', '812345678901234567/', mixed(68))],
]

const inContext: Positive[] = [
  { kind: 'an Azure storage key', before: 'Protocol=https;AccountKey=', secret: `${mixed(80)}q7Rt2K==`, after: ';End' },
  { kind: 'a password in a URL', before: 'postgres://app:', secret: 's3cr', after: '@db:5432/app' },
  { kind: 'a password in a URL', before: 'redis://:', secret: 'p@ss:word9', after: '@cache:6379' },
  { kind: 'a password in a URL', before: 'https://ana:', secret: mixed(12), after: '@git.local/x.git' },
  { kind: 'a credential in a header', before: 'Authorization: Bearer ', secret: mixed(30) },
  { kind: 'a credential in a header', before: '"authorization": "Bearer ', secret: mixed(30), after: '"' },
  { kind: 'a credential in a header', before: "-H 'Authorization: Basic ", secret: 'YW5hOmh1bnRlcg==', after: "'" },
  {
    kind: 'a credential in a header',
    before: 'Authorization: Basic ',
    secret: Buffer.from('ana:Grün7er4bend').toString('base64'),
  },
  { kind: 'a credential in a header', before: 'send Bearer ', secret: mixed(40), after: ' with it' },
  { kind: 'a credential in a header', before: 'Authorization: Bearer ', secret: `3|${mixed(40)}` },
  { kind: 'a credential in a header', before: 'Bearer ', secret: `Atza|${mixed(60)}`, after: ' it' },
  { kind: 'a JSON Web Token', before: 'see ', secret: webToken.replace('.', `.${mixed(80).repeat(180)}`) },
  { kind: 'a token', before: 'token: ', secret: `3|${mixed(40)}`, after: '\n' },
  { kind: 'a token', before: '"refresh_token": "', secret: mixed(80).repeat(20), after: '"' },
  { kind: 'a token', before: 'SESSION_TOKEN=', secret: mixed(80).repeat(20), after: '\n' },
  {
    kind: 'a password with its user',
    before: '{"auths":{"a.io":{"auth":"',
    secret: 'YW5hOmdyM2VuaDB1c2U=',
    after: '"}}}',
  },
  { kind: 'a password with its user', before: '//a.io/:_auth=', secret: 'YW5hOmdyM2VuaDB1c2U=', after: '\n' },
  { kind: 'a password', before: 'DB_PASS: ', secret: 'Xk29fjw9201q' },
  { kind: 'a password', before: 'env:\n  SMTP_PASS: ', secret: 'hunter2Abc!x9' },
  { kind: 'a password', before: 'DB_PASSWORD=', secret: 'k3;yb(oard', after: '\nNEXT=1' },
  { kind: 'a password', before: '{"password": "', secret: 'sunny7day', after: '"}' },
  { kind: 'a password', before: 'password: ', secret: 'Tr0ub4dor&3'.slice(0, 9), after: '\n' },
  { kind: 'a password', before: "const password: string = '", secret: 'open!sesame', after: "'" },
  { kind: 'a password', before: '<password>', secret: 'bl4ckbird', after: '</password>' },
  { kind: 'a password', before: 'mysql --password ', secret: 'gr33nhouse', after: ' -u root' },
  { kind: 'a password', before: 'os.environ["PGPASSWORD"] = "', secret: 'gr33nhouse', after: '"' },
  { kind: 'a password', before: '**Password:** ', secret: 'k7Qz9fLw', after: '\n' },
  { kind: 'a password', before: '**Password**: `', secret: 'k7Qz9fLw', after: '`' },
  { kind: 'a password', before: '*Password:* ', secret: 'k7Qz9fLw', after: '\n' },
  { kind: 'a password', before: '_Password:_ ', secret: 'k7Qz9fLw', after: '\n' },
  { kind: 'a password', before: 'Password: **', secret: 'k7Qz9fLw', after: '**, please' },
  { kind: 'a password', before: 'Password: *', secret: 'k7*Qz9fLw', after: '*' },
  { kind: 'a password', before: '__Password:__ **`', secret: 'k7Qz9fLw', after: '`**.' },
  { kind: 'a password', before: 'PASSWORD=', secret: '_abc12_!Kx93fLw7q' },
  { kind: 'a password', before: 'password: ', secret: '~~k7Qz9fLw~~', after: '\n' },
  { kind: 'a password', before: '"password": "', secret: 'Maple-Tiger-Window!', after: '"' },
  { kind: 'a password', before: "password: '", secret: 'maple_tiger?', after: "'" },
  { kind: 'a password', before: 'DB_PASSWORD="', secret: 'blue.river.stone!', after: '"' },
  { kind: 'a key', before: 'API_KEY=', secret: `_${mixed(24)}_-${mixed(12)}` },
  { kind: 'a key', before: '**API key**: ', secret: mixed(24), after: '\n' },
  { kind: 'a token', before: '- **Token:** `', secret: mixed(24), after: '`' },
  { kind: 'a key', before: 'API_KEY=', secret: hex(32) },
  { kind: 'a key', before: 'x-api-key: ', secret: mixed(24), after: '\n' },
  { kind: 'a key', before: "apiKey: '", secret: mixed(24), after: "'," },
  { kind: 'a secret', before: 'aws_secret_access_key = ', secret: `${mixed(20)}/${mixed(19)}`, after: '\n' },
  { kind: 'a secret', before: 'client_secret=', secret: mixed(24), after: '&grant_type=refresh' },
  { kind: 'a secret', before: 'SECRET_KEY_BASE=', secret: hex(64) },
  { kind: 'a token', before: '?access_token=', secret: mixed(24), after: '&page=2' },
  { kind: 'a token', before: '\\"token\\":\\"', secret: mixed(24), after: '\\"' },
  { kind: 'a token', before: 'GITLAB_TOKEN := ', secret: mixed(24) },
  { kind: 'a token', before: 'token => "', secret: mixed(24), after: '"' },
]

/** As people write them to each other, and as programs take them. */
const said = 'k7Qz9fLw2xVb'
const spoken: Positive[] = [
  ...[
    ...[
      'Passwort: ',
      'Kennwort: ',
      'mot de passe : ',
      'contraseña: ',
      'senha: ',
      'пароль: ',
      '密码：',
      '密码: ',
      '口令：',
    ],
    ...['パスワード: ', '비밀번호: ', 'password：', 'the password is ', 'Das Passwort lautet ', 'le mot de passe est '],
    ...[
      'la contraseña es ',
      '密码是',
      'password is: ',
      'the password for staging is ',
      'password for staging: ',
      'password (staging): ',
    ],
    ...[
      '- name: DB_PASSWORD\n  value: ',
      '{"name": "DB_PASSWORD", "value": "',
      'variable "db_password" {\n  default = "',
    ],
    ...['curl -u ana:', "curl -s --user 'ana:", 'sshpass -p ', 'mysql -u root -p', 'redis-cli -h cache -a '],
    ...[
      'docker login -u ana -p ',
      'curl \\\n  -su ana:',
      'curl "https://a.io?a=1&b=2" -u ana:',
      'machine a.io login ana password ',
      'machine a.io\n  login ana\n  password ',
    ],
  ].map((before) => ({ kind: 'a password', before, secret: said, after: /["'`]/.exec(before.slice(-14))?.[0] ?? '' })),
  ...['curl -u ana:', "curl --user 'ana:", 'sshpass -p ', 'docker login -u ana -p ', 'redis-cli -a '].map((before) => ({
    kind: 'a password',
    before,
    secret: 'Sommer24',
    after: before.includes("'") ? "'" : ' ls',
  })),
  { kind: 'a password', before: 'curl -u ana:', secret: 'geheimnis', after: ' https://a.io' },
  { kind: 'a password', before: "curl -u 'ana:", secret: 'Sommer$24', after: "' https://a.io" },
  ...[
    'docker login --password ',
    'docker login --password=',
    'docker login -u ana -p',
    'helm registry login -u ana -p ',
    'redis-cli --pass ',
    'redis-cli -a',
    'wget --user ana --password=',
  ].map((before) => ({ kind: 'a password', before, secret: 'Sommer24', after: ' ls' })),
  ...['API key (prod): ', 'api key for openai: ', 'my api key is ', '<add key="ApiKey" value="'].map((before) => ({
    kind: 'a key',
    before,
    secret: mixed(24),
    after: /["`]/.exec(before.slice(-12))?.[0] ?? '',
  })),
  ...['ENV API_KEY ', 'set -x API_KEY '].map((before) => ({ kind: 'a key', before, secret: mixed(24) })),
  { kind: 'a token', before: '{"name":"API_TOKEN","value":"', secret: mixed(24), after: '"}' },
  { kind: 'a private key', before: '{"kty":"EC","x":"a","d":"', secret: mixed(43), after: '"}' },
]

export const positives: Positive[] = [...tokens.map(([kind, secret]) => ({ kind, secret })), ...inContext, ...spoken]
