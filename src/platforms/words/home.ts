import { catalogue } from '../../kit/words/catalogue.ts'

/** A person's own page with the bot. Plain text: whoever shows it escapes it. */
export const homeWords = catalogue({
  waiting: 'Waiting for you',
  nothingWaits: 'Nothing is waiting for you.',
  waitsForOthers: 'Waiting for others',
  andMore: 'and {count} more',
  approve: 'Approve {tool}?',
  open: 'Open',
  alarms: 'Your alarms',
  noAlarms: 'You have no alarms. In a thread, say “remind me tomorrow at 9 to …”.',
  repeats: 'repeats',
  cancelAlarm: 'To cancel one, say “alarm cancel” and its id in any thread.',
  month: 'Your use this month',
  used: '{count, plural, one {# request} other {# requests}}, {tokens} tokens',
  usedFor: '{count, plural, one {# request} other {# requests}}, {tokens} tokens, {usd}',
  settings: 'Settings',
  model: 'Model: {model}',
  answersAll: 'In my threads I answer every message.',
  answersMentions: 'In my threads I answer only messages that mention me.',
  files: 'A message may have up to {count, plural, one {# file} other {# files}}.',
  operator: 'The people who run me change these.',
  untitled: 'Untitled',
  notAllowed: 'You’re not allowed to use me here.',
})
