import type { Collection, Question } from './collection.ts'

/** A passage, the question of somebody who hasn't read it, and two more wordings such as a model gives. */
interface Paraphrase {
  language: 'en' | 'de'
  passage: string
  wordings: [question: string, ...others: string[]]
}

const written = `
Employees may carry forward at most five unused days of annual leave into the following calendar year.
How much vacation can I keep for next year?|maximum holiday entitlement transferred to next year|carry over unused leave days

The landlord shall be notified of any leak or damp without delay; otherwise the tenant bears the cost of consequential damage.
What happens if I don't report water in the flat quickly?|tenant duty to notify defects moisture|failure to report leak liability costs

Either party may terminate this agreement by giving ninety days written notice before the end of a term.
How long beforehand do we have to cancel the contract?|termination notice period|deadline to end agreement in writing

Payment is due within fourteen days of receipt of the invoice; thereafter interest of nine percent accrues.
When must bills be settled?|payment terms due date invoice|late payment interest

Visitors must be accompanied at all times and wear the red badge issued at reception.
Can guests walk around alone in the building?|visitor escort policy|badge for external persons

Backups are taken hourly and retained for thirty-five days in a second data centre.
How far back can lost files be restored?|backup retention period|recovery of deleted data days kept

In the event of fire, leave by the nearest exit and assemble at the car park behind the north gate.
Where do we meet when the alarm rings?|evacuation assembly point|emergency meeting place fire

The supplier warrants that the goods are free from defects for twenty-four months after delivery.
How long is the guarantee?|warranty period defects|guarantee duration months after purchase

Business travel in economy class is reimbursed; first class rail tickets require prior consent of a director.
Who has to agree if I take an expensive train seat?|approval for premium train travel|first class rail authorisation

Overtime is compensated by time off in lieu within three months, or else by a supplement of twenty-five percent.
What do I get for working longer than normal?|extra hours compensation|overtime pay or time off

The machine must be disconnected from the mains before the cover is removed.
What should I do before opening the housing?|unplug power before maintenance|safety disconnect electricity open cover

Personal data of unsuccessful applicants are erased six months after the rejection.
When are CVs of people we didn't hire thrown away?|retention of applicant data|deletion candidate records rejected

Sales in the Nordic region declined by twelve percent because two major customers switched to a competitor.
Why did revenue in Scandinavia fall?|reasons for lower turnover northern Europe|Nordic sales decrease cause

Dogs are admitted only if they are registered at the front desk and kept on a lead.
Can I bring my pet to work?|pets in the office rules|animals allowed dogs

The deposit equals three months' rent and is returned after the handover of the keys.
How much money do I leave as security, and do I see it again?|rental deposit amount refund|security deposit months rent returned

Passwords shall contain sixteen characters or more and must not be shared with colleagues.
How long does my login secret have to be?|minimum password length|password requirements characters

The board approved the acquisition of the Lisbon subsidiary on the second vote.
When did the directors agree to buy the company in Portugal?|board decision takeover Lisbon|approval acquisition subsidiary

A physician's certificate is required from the third day of sickness.
When do I need a doctor's note?|medical certificate illness day|sick leave proof required

Expenses under forty euros need no receipt, but the purpose has to be stated.
Up to what amount can I claim without a bill?|expense claim without receipt limit|reimbursement small amounts no receipt

The pump starts automatically as soon as the tank is less than a quarter full.
At which level does refilling begin?|automatic pump start tank level|threshold low tank pump switches on

Confidential documents are shredded at security level P-5 and never put into the paper bin.
How do I get rid of secret papers?|disposal of confidential documents|shredding security level

Students who miss more than four sessions are not admitted to the final examination.
How often can I skip class before I'm barred from the test?|attendance requirement exam admission|maximum absences missed sessions

The vessel may carry no more than eighty passengers in winds above force six.
How many people are allowed aboard in a storm?|maximum passengers strong wind|capacity limit ship weather

Refrigerated goods whose temperature exceeded eight degrees must be rejected on arrival.
What if the cooled products come in too warm?|cold chain temperature limit refuse delivery|reject refrigerated goods

The insurer pays nothing if the loss was caused by gross negligence.
Am I covered if I was extremely careless?|insurance exclusion negligence|coverage denied gross negligence loss

Source code is reviewed by two engineers who did not write it before it is released.
How many others check a program ahead of shipping?|code review policy number of reviewers|peer review before release

Children below the age of twelve travel free of charge when accompanied by an adult.
Do kids have to pay?|child fare age limit|free travel minors with adult

The grant covers equipment and salaries, but not the purchase of land.
What can't the funding be spent on?|ineligible costs grant|expenses not covered funding real estate

The lift is inspected each spring by an accredited body, and its plate is renewed.
How often is the elevator examined?|elevator inspection interval|lift safety check annual

If the parties cannot settle a dispute, it is referred to arbitration in Vienna.
Where would a quarrel over the deal be decided?|dispute resolution place|arbitration seat jurisdiction

Meals are subsidised with three euros a day; the difference is deducted from wages.
How much does the firm add to lunch?|canteen subsidy amount|meal allowance employer contribution

Noise above eighty-five decibels makes ear protection compulsory in the hall.
When must I cover my ears?|hearing protection threshold|noise level mandatory ear protection

Shares granted to staff vest over four years, a quarter of them after the first.
How long until my stock really belongs to me?|equity vesting schedule|employee shares vesting period

The museum closes at six, on Thursdays two hours later.
Until what hour can one visit the exhibition in the evening?|opening hours museum|late opening Thursday closing time

Complaints are acknowledged within two working days and resolved within a fortnight.
How quickly do we react to unhappy customers?|complaint handling response time|deadline to resolve complaints

Spare parts remain available for ten years after production of a model has ceased.
How long can a discontinued device still be repaired?|spare parts availability period|support after end of production

The chair of the committee casts the deciding vote when opinions are evenly split.
What if there's a tie?|tie-breaking vote committee|casting vote chairperson

Parental leave may be taken in up to three blocks before the eighth birthday.
In how many pieces can I stay home with my baby?|parental leave number of periods|split maternity paternity leave

The crane must not be operated by persons who hold no valid licence.
Who is forbidden to use the lifting equipment?|crane operator qualification|licence required to drive crane

Unsold tickets are handed back to the organiser at noon on the day of the concert.
What becomes of seats nobody bought?|return of unsold tickets|remaining tickets deadline organiser

de
Der Mieter trägt kleinere Reparaturen bis zu einem Betrag von hundert Euro selbst.
Who pays when something small in the flat breaks?|Kleinreparaturen Kosten Mieter|Reparatur Wohnung wer zahlt

de
Die Probezeit beträgt sechs Monate; in dieser Zeit kann mit einer Frist von zwei Wochen gekündigt werden.
How fast can somebody new be let go?|Kündigungsfrist Probezeit|Kündigung in den ersten Monaten

de
Der Anspruch auf Erholungsurlaub verfällt am einunddreißigsten März des Folgejahres.
Bis wann muss ich meine freien Tage genommen haben?|Urlaub Verfall Resturlaub|Frist für Urlaub aus dem Vorjahr

de
Die Heizung wird zwischen dreiundzwanzig und sechs Uhr auf sechzehn Grad abgesenkt.
Warum ist es nachts so kalt?|Nachtabsenkung Heizung Temperatur|Heizung nachts Grad

de
Gäste dürfen ihre Fahrzeuge nur auf den gelb markierten Flächen abstellen.
Wo kann Besuch parken?|Parkplätze für Besucher|Parken Gäste Stellplatz Fahrzeuge

de
Eine Verlängerung des Vertrags tritt ein, wenn keine Partei ihn bis Ende September aufsagt.
When does it renew on its own?|automatische Vertragsverlängerung|Verlängerung Vertrag Frist

de
Die Haftung für leichte Fahrlässigkeit ist ausgeschlossen, außer bei Verletzung von Leben und Gesundheit.
Do they owe us something for a small slip?|Haftungsausschluss Fahrlässigkeit|Haftung leichte Fahrlässigkeit

de
Im Brandfall ist der Aufzug nicht zu benutzen; der Sammelplatz liegt an der Linde.
Wohin gehen wir bei Feuer?|Sammelpunkt Evakuierung Brand|Treffpunkt bei Alarm`

const paraphrases: Paraphrase[] = written
  .trim()
  .split('\n\n')
  .map((block) => {
    const lines = block.split('\n')
    const isGerman = lines[0] === 'de'
    const [passage = '', asked = ''] = isGerman ? lines.slice(1) : lines
    const [question = '', ...others] = asked.split('|')
    return { language: isGerman ? 'de' : 'en', passage, wordings: [question, ...others] }
  })

/** Puts each passage into a document of its language, beside the rest of its text, and returns the questions. */
export function paraphrasedIn({ documents }: Collection): (Question & { wordings: string[]; passage: string })[] {
  return paraphrases.map(({ language, passage, wordings }, index) => {
    const fitting = documents.filter((document) => document.language.code === language)
    const document = fitting[index % fitting.length]
    if (document === undefined) throw new Error(`no document in ${language}`)
    const section = document.sections[(7 + index * 11) % document.sections.length]
    const at = index % (section?.paragraphs.length ?? 1)
    if (section !== undefined) section.paragraphs[at] = `${section.paragraphs[at]} ${passage}`
    const { name, format } = document
    const about = { kind: 'paraphrase' as const, language, document: name, format }
    return { ...about, query: wordings[0], wordings, passage, evidence: [passage.slice(0, 40)] }
  })
}
