import type { Translations } from './translations.ts'

export const nb: Translations = {
  lang: 'nb',
  not_found: ['Lenken virker ikke', 'Den er ufullstendig eller ble endret underveis. Åpne den på nytt fra e-posten.'],
  gone: ['Lenken gjelder ikke lenger', 'Adressen din er ikke lenger lagret her, så du trenger ikke å gjøre noe mer.'],
  failed: ['Noe gikk galt', 'Prøv igjen om et øyeblikk.'],
  test_message: ['Dette var en testmelding', 'Lenkene i den endrer ingenting.'],
  confirm: {
    title: 'Bekreft påmeldingen din',
    text: (names, address) => `Når du har bekreftet, blir e-post fra ${names} sendt til ${address}.`,
    button: 'Bekreft påmeldingen min',
    hint: 'Hvis du ikke har bedt om dette, kan du bare lukke siden: Uten din bekreftelse blir ingenting sendt.',
  },
  confirmed: ['Du er påmeldt', (names) => `Takk. Fra nå av får du e-post fra ${names}.`],
  nothing_to_confirm: [
    'Det er ingenting å bekrefte',
    'Påmeldingen din er allerede bekreftet, eller du har meldt deg av i mellomtiden.',
  ],
  unsubscribe: {
    title: 'Meld deg av',
    text: (address) => `Hva skal ikke lenger sendes til ${address}?`,
    lists: (names) => `Meld deg av ${names}`,
    everything: 'Meld deg av alt',
    preferences: 'Velg lister i stedet',
  },
  unsubscribed: ['Du er avmeldt', (address) => `Det blir ikke sendt mer e-post til ${address}.`],
  unsubscribed_lists: ['Du er avmeldt', (names) => `Du får ikke lenger e-post fra ${names}.`],
  preferences: {
    title: 'Innstillingene dine',
    text: (address) => `Velg hva som skal sendes til ${address}.`,
    legend: 'Lister',
    pending: 'Venter på bekreftelse fra deg; kryss av for å bekrefte nå.',
    none: 'Det er ingen lister å velge mellom.',
    save: 'Lagre',
    unsubscribe_all: 'Meld deg av alt',
    saved: 'Valget ditt er lagret.',
    blocked:
      'E-post til denne adressen er sperret, så påmelding til en liste var ikke mulig. Ta kontakt med avsenderen.',
    unsubscribed: 'Du er avmeldt fra alt. Kryss av for en liste og lagre for å få den igjen.',
  },
  forms: {
    sent: ['Takk', 'Meldingen din er sendt.'],
    signed_up: ['Takk', 'Hvis det trengs en bekreftelse, er den på vei til innboksen din.'],
    refused: ['Dette ble ikke sendt', 'Noe mangler eller stemmer ikke. Gå tilbake og se over det du har fylt inn.'],
    too_many: ['Vent et øyeblikk', 'Dette er sendt for mange ganger. Prøv igjen om et minutt.'],
    failed: ['Noe gikk galt', 'Prøv igjen om et øyeblikk.'],
  },
  confirmation: {
    subject: (project) => `Bekreft påmeldingen din til ${project}`,
    request: (project) => `Du har bedt om å få e-post fra ${project}. Bekreft at dette er adressen din.`,
    button: 'Bekreft påmeldingen min',
    closing: 'Hvis du ikke har bedt om dette, trenger du ikke å gjøre noe: Uten din bekreftelse blir ingenting sendt.',
  },
  sign_up: { first_name: 'Fornavn', last_name: 'Etternavn', button: 'Abonner' },
  own_link: {
    title: 'Administrer abonnementet ditt',
    text: 'Skriv inn adressen som mottar disse meldingene. Vi sender en personlig lenke dit.',
    email: 'E-postadresse',
    button: 'Send lenken',
    sent: 'Hvis adressen mottar meldingene våre, er lenken på vei.',
    subject: (project) => `Lenken din for ${project}`,
    request: (project) =>
      `Du har bedt om lenken til abonnementet ditt på ${project}. Den åpner siden der du velger lister eller melder deg av.`,
    closing: 'Hvis du ikke har bedt om dette, trenger du ikke gjøre noe. Ingenting er endret.',
  },
  letters: { title: 'Sendte brev', older: 'Eldre', newer: 'Nyere', none: 'Ingenting er sendt ennå.' },
  email: { unsubscribe: 'Meld deg av', preferences: 'Innstillinger', view: 'Vis i nettleseren', read_more: 'Les mer' },
}
