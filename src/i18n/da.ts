import type { Translations } from './translations.ts'

export const da: Translations = {
  lang: 'da',
  not_found: ['Linket virker ikke', 'Det er ufuldstændigt eller er blevet ændret undervejs. Åbn det igen fra mailen.'],
  gone: ['Linket gælder ikke længere', 'Din adresse er ikke længere gemt her, så du behøver ikke gøre mere.'],
  failed: ['Noget gik galt', 'Prøv igen om et øjeblik.'],
  test_message: ['Det var en testmail', 'Linkene i den ændrer ikke noget.'],
  confirm: {
    title: 'Bekræft din tilmelding',
    text: (names, address) => `Når du har bekræftet, bliver mails fra ${names} sendt til ${address}.`,
    button: 'Bekræft min tilmelding',
    hint: 'Hvis du ikke har bedt om dette, kan du blot lukke siden: Uden din bekræftelse bliver der ikke sendt noget.',
  },
  confirmed: ['Du er tilmeldt', (names) => `Tak. Fra nu af modtager du mails fra ${names}.`],
  nothing_to_confirm: [
    'Der er ikke noget at bekræfte',
    'Din tilmelding er allerede bekræftet, eller du har afmeldt dig i mellemtiden.',
  ],
  unsubscribe: {
    title: 'Afmeld',
    text: (address) => `Hvilke mails skal ikke længere sendes til ${address}?`,
    lists: (names) => `Afmeld ${names}`,
    everything: 'Afmeld alt',
    preferences: 'Vælg dine lister i stedet',
  },
  unsubscribed: ['Du er afmeldt', (address) => `Der bliver ikke sendt flere mails til ${address}.`],
  unsubscribed_lists: ['Du er afmeldt', (names) => `Du modtager ikke længere mails fra ${names}.`],
  preferences: {
    title: 'Dine indstillinger',
    text: (address) => `Vælg, hvilke mails der skal sendes til ${address}.`,
    legend: 'Lister',
    pending: 'Afventer din bekræftelse; sæt et flueben for at bekræfte nu.',
    none: 'Der er ingen lister at vælge imellem.',
    save: 'Gem',
    unsubscribe_all: 'Afmeld alt',
    saved: 'Dit valg er gemt.',
    blocked: 'Mails til denne adresse er blokeret, så tilmelding til en liste var ikke mulig. Kontakt afsenderen.',
    unsubscribed: 'Du er afmeldt alle lister. Sæt et flueben ved en liste, og gem for at modtage den igen.',
  },
  forms: {
    sent: ['Tak', 'Din besked er sendt.'],
    signed_up: ['Tak', 'Hvis en bekræftelse er nødvendig, er den på vej til din indbakke.'],
    refused: [
      'Det blev ikke sendt',
      'Der mangler noget, eller noget er ikke rigtigt. Gå tilbage, og kontrollér det, du har indtastet.',
    ],
    too_many: ['Vent et øjeblik', 'Det er blevet sendt for mange gange. Prøv igen om et minut.'],
    failed: ['Noget gik galt', 'Prøv igen om et øjeblik.'],
  },
  confirmation: {
    subject: (project) => `Bekræft din tilmelding til ${project}`,
    request: (project) => `Du har bedt om at modtage mails fra ${project}. Bekræft venligst, at dette er din adresse.`,
    button: 'Bekræft min tilmelding',
    closing:
      'Hvis du ikke har bedt om dette, behøver du ikke gøre noget: Uden din bekræftelse bliver der ikke sendt noget.',
  },
  sign_up: { first_name: 'Fornavn', last_name: 'Efternavn', button: 'Tilmeld' },
  own_link: {
    title: 'Administrer dit abonnement',
    text: 'Indtast den adresse, der modtager disse meddelelser. Vi sender et personligt link til den.',
    email: 'E-mailadresse',
    button: 'Send linket',
    sent: 'Hvis adressen modtager vores meddelelser, er linket på vej.',
    subject: (project) => `Dit link til ${project}`,
    request: (project) =>
      `Du har bedt om linket til dit abonnement på ${project}. Det åbner siden, hvor du vælger lister eller afmelder dig.`,
    closing: 'Hvis du ikke har bedt om dette, skal du ikke gøre noget. Intet er ændret.',
  },
  letters: { title: 'Sendte breve', older: 'Ældre', newer: 'Nyere', none: 'Der er ikke sendt noget endnu.' },
  email: { unsubscribe: 'Afmeld', preferences: 'Indstillinger', view: 'Vis i browser', read_more: 'Læs mere' },
}
