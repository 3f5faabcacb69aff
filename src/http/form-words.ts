/** What people read after they have sent a form of a site that does not bring them back by itself. */
export interface FormWords {
  /** BCP 47. */
  lang: string
  sent: [title: string, text: string]
  signed_up: [title: string, text: string]
  refused: [title: string, text: string]
  too_many: [title: string, text: string]
  failed: [title: string, text: string]
}

const en: FormWords = {
  lang: 'en',
  sent: ['Thank you', 'Your message was sent.'],
  signed_up: ['Thank you', 'If a confirmation is needed, it is on its way to your mailbox.'],
  refused: ['This was not sent', 'Something is missing or is not right. Please go back and look at what you entered.'],
  too_many: ['Please wait a moment', 'This was sent too often. Try again in a minute.'],
  failed: ['Something went wrong', 'Please try again in a moment.'],
}

const de: FormWords = {
  lang: 'de',
  sent: ['Vielen Dank', 'Ihre Nachricht wurde gesendet.'],
  signed_up: ['Vielen Dank', 'Falls eine Bestätigung nötig ist, ist sie auf dem Weg in Ihr Postfach.'],
  refused: ['Das wurde nicht gesendet', 'Etwas fehlt oder stimmt nicht. Bitte gehen Sie zurück und prüfen Sie Ihre Eingaben.'],
  too_many: ['Bitte warten Sie einen Moment', 'Das wurde zu oft gesendet. Versuchen Sie es in einer Minute noch einmal.'],
  failed: ['Etwas ist schiefgegangen', 'Bitte versuchen Sie es gleich noch einmal.'],
}

const WORDS: ReadonlyMap<string, FormWords> = new Map([en, de].map((words) => [words.lang, words]))

/** The words of a locale's language; English where there are none. */
export function formWords(locale: string | null | undefined): FormWords {
  return WORDS.get((locale ?? 'en').toLowerCase().split(/[-_]/)[0]!) ?? en
}
