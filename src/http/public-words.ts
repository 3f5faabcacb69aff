/** What the public pages say, by language. Names and addresses are put in as text; the pages escape them. */
export interface PublicWords {
  /** BCP 47. */
  lang: string
  not_found: [title: string, text: string]
  gone: [title: string, text: string]
  failed: [title: string, text: string]
  test_message: [title: string, text: string]
  confirm: { title: string; text(names: string, address: string): string; button: string; hint: string }
  confirmed: [title: string, text: (names: string) => string]
  nothing_to_confirm: [title: string, text: string]
  unsubscribe: { title: string; text(address: string): string; lists(names: string): string; everything: string; preferences: string }
  unsubscribed: [title: string, text: (address: string) => string]
  left: [title: string, text: (names: string) => string]
  preferences: {
    title: string
    text(address: string): string
    legend: string
    pending: string
    none: string
    save: string
    leave: string
    saved: string
    blocked: string
    out: string
  }
}

const en: PublicWords = {
  lang: 'en',
  not_found: ['This link does not work', 'It is not complete, or it was changed on its way. Please open it again from the message.'],
  gone: ['This link has ended', 'Your address is no longer kept here, so there is nothing left to do.'],
  failed: ['Something went wrong', 'Please try again in a moment.'],
  test_message: ['This was a test message', 'Its links change nothing.'],
  confirm: {
    title: 'Confirm your subscription',
    text: (names, address) => `Messages of ${names} go to ${address} once you confirm it.`,
    button: 'Confirm my subscription',
    hint: 'If you did not ask for this, simply close the page: without your confirmation nothing is sent.',
  },
  confirmed: ['You are subscribed', (names) => `Thank you. You will receive the messages of ${names} from now on.`],
  nothing_to_confirm: ['There is nothing to confirm', 'Your subscription was confirmed already, or you have left since then.'],
  unsubscribe: {
    title: 'Unsubscribe',
    text: (address) => `Which messages should no longer go to ${address}?`,
    lists: (names) => `Unsubscribe from ${names}`,
    everything: 'Unsubscribe from everything',
    preferences: 'Choose your lists instead',
  },
  unsubscribed: ['You are unsubscribed', (address) => `No further messages will be sent to ${address}.`],
  left: ['You are unsubscribed', (names) => `You will no longer receive the messages of ${names}.`],
  preferences: {
    title: 'Your preferences',
    text: (address) => `Choose which messages go to ${address}.`,
    legend: 'Lists',
    pending: 'Waits for your confirmation; tick it to confirm now.',
    none: 'There are no lists to choose from.',
    save: 'Save',
    leave: 'Unsubscribe from everything',
    saved: 'Your choice was saved.',
    blocked: 'Messages to this address are blocked, so a list could not be joined. Please ask the sender.',
    out: 'You are unsubscribed from everything. Tick a list and save to receive it again.',
  },
}

const de: PublicWords = {
  lang: 'de',
  not_found: ['Dieser Link funktioniert nicht', 'Er ist unvollständig oder wurde unterwegs verändert. Bitte öffnen Sie ihn noch einmal aus der Nachricht.'],
  gone: ['Dieser Link gilt nicht mehr', 'Ihre Adresse ist hier nicht mehr gespeichert; es ist nichts weiter zu tun.'],
  failed: ['Etwas ist schiefgegangen', 'Bitte versuchen Sie es gleich noch einmal.'],
  test_message: ['Das war eine Testnachricht', 'Ihre Links ändern nichts.'],
  confirm: {
    title: 'Anmeldung bestätigen',
    text: (names, address) => `Sobald Sie bestätigen, gehen die Nachrichten von ${names} an ${address}.`,
    button: 'Anmeldung bestätigen',
    hint: 'Wenn Sie sich nicht angemeldet haben, schließen Sie einfach diese Seite: Ohne Ihre Bestätigung wird nichts gesendet.',
  },
  confirmed: ['Sie sind angemeldet', (names) => `Vielen Dank. Von jetzt an erhalten Sie die Nachrichten von ${names}.`],
  nothing_to_confirm: ['Es gibt nichts zu bestätigen', 'Ihre Anmeldung wurde schon bestätigt, oder Sie haben sich inzwischen abgemeldet.'],
  unsubscribe: {
    title: 'Abmelden',
    text: (address) => `Welche Nachrichten sollen nicht mehr an ${address} gehen?`,
    lists: (names) => `Von ${names} abmelden`,
    everything: 'Von allem abmelden',
    preferences: 'Stattdessen Listen auswählen',
  },
  unsubscribed: ['Sie sind abgemeldet', (address) => `An ${address} werden keine weiteren Nachrichten gesendet.`],
  left: ['Sie sind abgemeldet', (names) => `Sie erhalten die Nachrichten von ${names} nicht mehr.`],
  preferences: {
    title: 'Ihre Einstellungen',
    text: (address) => `Wählen Sie, welche Nachrichten an ${address} gehen.`,
    legend: 'Listen',
    pending: 'Wartet auf Ihre Bestätigung; mit einem Häkchen bestätigen Sie jetzt.',
    none: 'Es gibt keine Listen zur Auswahl.',
    save: 'Speichern',
    leave: 'Von allem abmelden',
    saved: 'Ihre Auswahl wurde gespeichert.',
    blocked: 'Nachrichten an diese Adresse sind gesperrt, deshalb war eine Anmeldung nicht möglich. Bitte wenden Sie sich an den Absender.',
    out: 'Sie sind von allem abgemeldet. Setzen Sie ein Häkchen und speichern Sie, um eine Liste wieder zu erhalten.',
  },
}

const WORDS: ReadonlyMap<string, PublicWords> = new Map([en, de].map((words) => [words.lang, words]))

/** The words of a locale's language; English where there are none, and the page then says that it is English. */
export function publicWords(locale: string | null | undefined): PublicWords {
  return WORDS.get((locale ?? 'en').toLowerCase().split(/[-_]/)[0]!) ?? en
}

/** Names in a row, as the language joins them. */
export function inARow(words: PublicWords, names: readonly string[]): string {
  return new Intl.ListFormat(words.lang, { type: 'conjunction' }).format(names)
}
