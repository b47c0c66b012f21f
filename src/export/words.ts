import { catalogue } from '../kit/words/catalogue.ts'

/** What stands in an exported thread besides what was said in it. */
export const exportWords = catalogue({
  untitled: 'Untitled',
  begun: '{platform}, {channel}, begun on {day}',
  files: 'Files',
  alarm: 'Alarm',
  someone: 'Someone',
  notDecided: 'Approval for {tool}: {reason} Not decided.',
  decided: 'Approval for {tool}: {reason} {decision, select, approved {Approved.} other {Denied.}}',
  decidedBy:
    'Approval for {tool}: {reason} {decision, select, approved {Approved by {name}.} other {Denied by {name}.}}',
  why: 'Reason: {text}',
  instead: 'Instead: {text}',
  wentBack: '{name} went back to “{message}”. That message and what came after it no longer count.',
  question: 'Question:',
  moreFiles: '{count, plural, one {and # more file} other {and # more files}}',
  notAnswered: 'Not answered.',
  notAnsweredInTime: 'Nobody answered in time.',
  defaultTaken: 'Nobody answered in time, so the default was taken: {answer}',
  declined: 'Declined.',
  declinedBy: '{name} declined to answer.',
  withdrawn: 'Withdrawn.',
  answer: '{name}: {answer}',
  anAnswer: 'Answer: {answer}',
})
