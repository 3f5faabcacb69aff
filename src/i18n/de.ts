import type { Translations } from './translations.ts'

export const de: Translations = {
  lang: 'de',
  not_found: [
    'Dieser Link funktioniert nicht',
    'Er ist unvollständig oder wurde unterwegs verändert. Bitte öffnen Sie ihn noch einmal aus der Nachricht.',
  ],
  gone: ['Dieser Link gilt nicht mehr', 'Ihre Adresse ist hier nicht mehr gespeichert; es ist nichts weiter zu tun.'],
  failed: ['Etwas ist schiefgegangen', 'Bitte versuchen Sie es gleich noch einmal.'],
  test_message: ['Das war eine Testnachricht', 'Ihre Links ändern nichts.'],
  confirm: {
    title: 'Anmeldung bestätigen',
    text: (names, address) => `Sobald Sie bestätigen, gehen die Nachrichten von ${names} an ${address}.`,
    button: 'Anmeldung bestätigen',
    hint:
      'Wenn Sie sich nicht angemeldet haben, schließen Sie einfach diese Seite: Ohne Ihre Bestätigung wird ' +
      'nichts gesendet.',
  },
  confirmed: ['Sie sind angemeldet', (names) => `Vielen Dank. Von jetzt an erhalten Sie die Nachrichten von ${names}.`],
  nothing_to_confirm: [
    'Es gibt nichts zu bestätigen',
    'Ihre Anmeldung wurde schon bestätigt, oder Sie haben sich inzwischen abgemeldet.',
  ],
  unsubscribe: {
    title: 'Abmelden',
    text: (address) => `Welche Nachrichten sollen nicht mehr an ${address} gehen?`,
    lists: (names) => `Von ${names} abmelden`,
    everything: 'Von allem abmelden',
    preferences: 'Stattdessen Listen auswählen',
  },
  unsubscribed: ['Sie sind abgemeldet', (address) => `An ${address} werden keine weiteren Nachrichten gesendet.`],
  unsubscribed_lists: ['Sie sind abgemeldet', (names) => `Sie erhalten die Nachrichten von ${names} nicht mehr.`],
  preferences: {
    title: 'Ihre Einstellungen',
    text: (address) => `Wählen Sie, welche Nachrichten an ${address} gehen.`,
    legend: 'Listen',
    pending: 'Wartet auf Ihre Bestätigung; mit einem Häkchen bestätigen Sie jetzt.',
    none: 'Es gibt keine Listen zur Auswahl.',
    save: 'Speichern',
    unsubscribe_all: 'Von allem abmelden',
    saved: 'Ihre Auswahl wurde gespeichert.',
    blocked:
      'Nachrichten an diese Adresse sind gesperrt, deshalb war eine Anmeldung nicht möglich. Bitte wenden ' +
      'Sie sich an den Absender.',
    unsubscribed:
      'Sie sind von allem abgemeldet. Setzen Sie ein Häkchen und speichern Sie, um eine Liste wieder zu erhalten.',
  },
  forms: {
    sent: ['Vielen Dank', 'Ihre Nachricht wurde gesendet.'],
    signed_up: ['Vielen Dank', 'Falls eine Bestätigung nötig ist, ist sie auf dem Weg in Ihr Postfach.'],
    refused: [
      'Das wurde nicht gesendet',
      'Etwas fehlt oder stimmt nicht. Bitte gehen Sie zurück und prüfen Sie Ihre Eingaben.',
    ],
    too_many: [
      'Bitte warten Sie einen Moment',
      'Das wurde zu oft gesendet. Versuchen Sie es in einer Minute noch einmal.',
    ],
    failed: ['Etwas ist schiefgegangen', 'Bitte versuchen Sie es gleich noch einmal.'],
  },
  confirmation: {
    subject: (project) => `Bitte bestätigen Sie Ihre Anmeldung bei ${project}`,
    request: (project) =>
      `Sie möchten Nachrichten von ${project} erhalten. Bitte bestätigen Sie, dass dies Ihre Adresse ist.`,
    button: 'Anmeldung bestätigen',
    closing: 'Wenn Sie sich nicht angemeldet haben, müssen Sie nichts tun: Ohne Ihre Bestätigung wird nichts gesendet.',
  },
  sign_up: { button: 'Abonnieren' },
  own_link: {
    title: 'Anmeldung verwalten',
    text: 'Geben Sie die Adresse ein, an die diese Nachrichten gehen. Wir senden einen persönlichen Link dorthin.',
    email: 'E-Mail-Adresse',
    button: 'Link senden',
    sent: 'Wenn diese Adresse unsere Nachrichten erhält, ist der Link auf dem Weg dorthin.',
    subject: (project) => `Ihr Link für ${project}`,
    request: (project) =>
      `Sie haben den Link zu Ihrer Anmeldung bei ${project} angefordert. Er öffnet die Seite, auf der Sie Listen wählen oder sich abmelden.`,
    closing: 'Wenn Sie das nicht angefordert haben, müssen Sie nichts tun. Es hat sich nichts geändert.',
  },
  letters: { title: 'Gesendete Briefe', older: 'Ältere', newer: 'Neuere', none: 'Bisher wurde nichts gesendet.' },
  email: {
    unsubscribe: 'Abmelden',
    preferences: 'Einstellungen',
    view: 'Im Browser ansehen',
    read_more: 'Weiterlesen',
  },
  consent: {
    label: 'Einwilligung',
    question: 'Darf diese Website Dienste nutzen, die nicht notwendig sind?',
    accept: 'Zustimmen',
    decline: 'Ablehnen',
    choose: 'Auswählen',
    save: 'Auswahl speichern',
    reopen: 'Datenschutz-Auswahl',
    privacy: 'Datenschutz',
    functional: 'Funktional',
    functional_purpose: 'Extras wie Chats, Karten und Videos.',
    analytics: 'Statistik',
    analytics_purpose: 'Zählt Besuche, damit die Website besser wird.',
    advertising: 'Werbung',
    advertising_purpose: 'Zeigt Werbung und misst ihre Wirkung.',
  },
  form_notice: {
    entries: (count) => `Neue Einträge in Ihren Formularen: ${count}`,
    more: (count) => `Weitere Einträge: ${count}`,
    button: 'In Masthead lesen',
    closing: (project) =>
      `Sie erhalten diese Nachricht, weil das Projekt „${project}“ Ihnen mitteilt, was seine Formulare empfangen.`,
  },
}
