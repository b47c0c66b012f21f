import { catalogue } from '../kit/words/catalogue.ts'

/** What is said about answers and cards that can't be posted, to the people who wait for them. */
export const outboundWords = catalogue({
  // Shown on the console.
  notPostedYet:
    '{kind, select, card {A card} other {The answer}} couldn’t be posted in the thread yet: {reason}. Bobbin keeps trying.',
  notPostedYetRemedy:
    '{kind, select, card {A card} other {The answer}} couldn’t be posted in the thread yet: {reason}. {remedy}. Bobbin keeps trying.',

  // Said elsewhere on the platform, in Markdown.
  ourThread: 'our thread',
  linkedThread: '[this thread]({link})',
  stuck:
    'I couldn’t post {kind, select, card {something that needs your answer} other {my answer}} in {place} because {reason}. I’ll post it as soon as I can.',
  stuckRemedy:
    'I couldn’t post {kind, select, card {something that needs your answer} other {my answer}} in {place} because {reason}. {remedy}. I’ll post it as soon as I can.',
  lost: 'I couldn’t post {count, plural, one {{kind, select, card {something that needs your answer} other {my answer}}} other {# messages}} in {place} because {reason}. The operator can read {count, plural, one {it} other {all of them}} in the console.{kind, select, card { I’ll go on without your answer.} other {}}',
  // Some of it may be posted after all.
  lostForWeek:
    'I couldn’t post {count, plural, one {{kind, select, card {something that needs your answer} other {my answer}}} other {# messages}} in {place} because {reason}, and I’ve given up after a week. The operator can read whatever is missing there in the console.{kind, select, card { If that needed your answer, I’ll go on without it.} other {}}',

  // Said in the thread, in Markdown.
  filesLost:
    '{names} won’t come after all ({reason}). If you still need {count, plural, one {it} other {them}}, ask me again.',
  filesLostRemedy:
    '{names} won’t come after all ({reason}). {remedy}. If you still need {count, plural, one {it} other {them}}, ask me again after that.',

  alarmsEnded:
    '{why, select, gone {The thread is gone} other {Nothing could be posted in the thread for a week}}, so its {count, plural, one {alarm has} other {# alarms have}} ended.',
  notPosted: '{what} couldn’t be posted in the thread: {reason}.',
  this: 'This',
  failedForWeek: '{reason}, for a week',
  notIntoMessages: 'it couldn’t be put into messages: {reason}',
})
