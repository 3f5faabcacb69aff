import type { Translations } from './translations.ts'

export const it: Translations = {
  lang: 'it',
  not_found: [
    'Questo link non funziona',
    'È incompleto o è stato modificato lungo il percorso. Si prega di aprirlo di nuovo dal messaggio.',
  ],
  gone: ['Questo link non è più valido', 'L’indirizzo non è più conservato qui: non occorre fare altro.'],
  failed: ['Qualcosa è andato storto', 'Si prega di riprovare tra qualche istante.'],
  test_message: ['Questo era un messaggio di prova', 'I suoi link non hanno alcun effetto.'],
  confirm: {
    title: 'Conferma dell’iscrizione',
    text: (names, address) => `Una volta confermata l’iscrizione, i messaggi di ${names} saranno inviati a ${address}.`,
    button: 'Conferma l’iscrizione',
    hint:
      'Se l’iscrizione non è stata richiesta, basta chiudere questa pagina: senza conferma non verrà inviato ' +
      'nulla.',
  },
  confirmed: [
    'Iscrizione confermata',
    (names) => `Grazie. D’ora in poi i messaggi di ${names} arriveranno nella casella di posta.`,
  ],
  nothing_to_confirm: [
    'Non c’è nulla da confermare',
    'L’iscrizione è già stata confermata oppure nel frattempo è stata annullata.',
  ],
  unsubscribe: {
    title: 'Annulla l’iscrizione',
    text: (address) => `Quali messaggi non devono più essere inviati a ${address}?`,
    lists: (names) => `Annulla l’iscrizione a ${names}`,
    everything: 'Annulla tutte le iscrizioni',
    preferences: 'Scegli invece le liste',
  },
  unsubscribed: ['Iscrizione annullata', (address) => `Non verranno più inviati messaggi a ${address}.`],
  unsubscribed_lists: ['Iscrizione annullata', (names) => `I messaggi di ${names} non verranno più inviati.`],
  preferences: {
    title: 'Preferenze',
    text: (address) => `Quali messaggi devono essere inviati a ${address}?`,
    legend: 'Liste',
    pending: 'In attesa di conferma; per confermare ora basta selezionare la casella.',
    none: 'Non ci sono liste tra cui scegliere.',
    save: 'Salva',
    unsubscribe_all: 'Annulla tutte le iscrizioni',
    saved: 'Le preferenze sono state salvate.',
    blocked:
      'L’invio di messaggi a questo indirizzo è bloccato, perciò non è stato possibile completare ' +
      'l’iscrizione a una lista. Si prega di rivolgersi al mittente.',
    unsubscribed:
      'Tutte le iscrizioni sono state annullate. Per ricevere di nuovo una lista, basta selezionarla e salvare.',
  },
  forms: {
    sent: ['Grazie', 'Il messaggio è stato inviato.'],
    signed_up: ['Grazie', 'Se è necessaria una conferma, la richiesta è in arrivo nella casella di posta.'],
    refused: [
      'L’invio non è riuscito',
      'Manca qualche dato o qualcosa non è corretto. Si prega di tornare indietro e di controllare i dati inseriti.',
    ],
    too_many: ['Un momento, per favore', 'Sono stati effettuati troppi invii. Si prega di riprovare tra un minuto.'],
    failed: ['Qualcosa è andato storto', 'Si prega di riprovare tra qualche istante.'],
  },
  confirmation: {
    subject: (project) => `Conferma dell’iscrizione a ${project}`,
    request: (project) =>
      `Abbiamo ricevuto la richiesta di inviare a questo indirizzo i messaggi di ${project}. Per completare ` +
      `l’iscrizione si prega di confermare l’indirizzo.`,
    button: 'Conferma l’iscrizione',
    closing: 'Se l’iscrizione non è stata richiesta, non occorre fare nulla: senza conferma non verrà inviato nulla.',
  },
  sign_up: { button: 'Iscriviti' },
  own_link: {
    title: 'Gestisci la tua iscrizione',
    text: 'Inserisci l’indirizzo che riceve questi messaggi. Ti invieremo un link personale.',
    email: 'Indirizzo email',
    button: 'Invia il link',
    sent: 'Se questo indirizzo riceve i nostri messaggi, il link è in arrivo.',
    subject: (project) => `Il tuo link per ${project}`,
    request: (project) =>
      `Hai chiesto il link alla tua iscrizione a ${project}. Apre la pagina in cui scegliere le liste o annullare l’iscrizione.`,
    closing: 'Se non l’hai chiesto, non devi fare nulla. Non è cambiato nulla.',
  },
  letters: {
    title: 'Lettere inviate',
    older: 'Meno recenti',
    newer: 'Più recenti',
    none: 'Non è stato ancora inviato nulla.',
  },
  email: {
    unsubscribe: "Annulla l'iscrizione",
    preferences: 'Preferenze',
    view: 'Apri nel browser',
    read_more: 'Continua a leggere',
  },
  consent: {
    label: 'Consenso',
    question: 'Questo sito può usare servizi non essenziali?',
    accept: 'Accetta',
    decline: 'Rifiuta',
    choose: 'Scegli',
    save: 'Salva la scelta',
    reopen: 'Opzioni di privacy',
    privacy: 'Privacy',
    functional: 'Funzionali',
    functional_purpose: 'Extra come chat, mappe e video.',
    analytics: 'Statistiche',
    analytics_purpose: 'Contano le visite per migliorare il sito.',
    advertising: 'Pubblicità',
    advertising_purpose: 'Mostra annunci e ne misura l’effetto.',
  },
  form_notice: {
    entries: (count) => `Nuove risposte ai suoi moduli: ${count}`,
    more: (count) => `Altre risposte: ${count}`,
    button: 'Leggile in Masthead',
    closing: (project) =>
      `Riceve questo messaggio perché il progetto «${project}» la informa su ciò che ricevono i suoi moduli.`,
  },
}
