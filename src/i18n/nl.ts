import type { Translations } from './translations.ts'

export const nl: Translations = {
  lang: 'nl',
  not_found: [
    'Deze link werkt niet',
    'De link is onvolledig of onderweg gewijzigd. Open hem opnieuw vanuit het bericht.',
  ],
  gone: ['Deze link is niet meer geldig', 'Uw adres wordt hier niet meer bewaard; u hoeft niets meer te doen.'],
  failed: ['Er is iets misgegaan', 'Probeer het zo meteen opnieuw.'],
  test_message: ['Dit was een testbericht', 'De links erin veranderen niets.'],
  confirm: {
    title: 'Bevestig uw inschrijving',
    text: (names, address) =>
      `Zodra u uw inschrijving bevestigt, worden de berichten van ${names} verzonden naar ${address}.`,
    button: 'Mijn inschrijving bevestigen',
    hint: 'Hebt u hier niet om gevraagd? Sluit dan gewoon deze pagina: zonder uw bevestiging wordt er niets verzonden.',
  },
  confirmed: ['U bent ingeschreven', (names) => `Hartelijk dank. U ontvangt vanaf nu de berichten van ${names}.`],
  nothing_to_confirm: [
    'Er valt niets te bevestigen',
    'Uw inschrijving is al bevestigd of u hebt zich inmiddels uitgeschreven.',
  ],
  unsubscribe: {
    title: 'Uitschrijven',
    text: (address) => `Welke berichten wilt u niet meer ontvangen op ${address}?`,
    lists: (names) => `Uitschrijven voor ${names}`,
    everything: 'Uitschrijven voor alles',
    preferences: 'Liever lijsten kiezen',
  },
  unsubscribed: ['U bent uitgeschreven', (address) => `Er worden geen berichten meer verzonden naar ${address}.`],
  unsubscribed_lists: ['U bent uitgeschreven', (names) => `U ontvangt de berichten van ${names} niet meer.`],
  preferences: {
    title: 'Uw voorkeuren',
    text: (address) => `Kies welke berichten u wilt ontvangen op ${address}.`,
    legend: 'Lijsten',
    pending: 'Wacht op uw bevestiging; zet een vinkje om nu te bevestigen.',
    none: 'Er zijn geen lijsten om uit te kiezen.',
    save: 'Opslaan',
    unsubscribe_all: 'Uitschrijven voor alles',
    saved: 'Uw keuze is opgeslagen.',
    blocked:
      'Berichten aan dit adres zijn geblokkeerd, waardoor inschrijven voor een lijst niet mogelijk was. ' +
      'Neem contact op met de afzender.',
    unsubscribed: 'U bent voor alles uitgeschreven. Vink een lijst aan en sla uw keuze op om deze weer te ontvangen.',
  },
  forms: {
    sent: ['Hartelijk dank', 'Uw bericht is verzonden.'],
    signed_up: ['Hartelijk dank', 'Als er een bevestiging nodig is, is die onderweg naar uw mailbox.'],
    refused: [
      'Dit is niet verzonden',
      'Er ontbreekt iets of er klopt iets niet. Ga terug en controleer wat u hebt ingevuld.',
    ],
    too_many: ['Een ogenblik geduld', 'Dit is te vaak verzonden. Probeer het over een minuut opnieuw.'],
    failed: ['Er is iets misgegaan', 'Probeer het zo meteen opnieuw.'],
  },
  confirmation: {
    subject: (project) => `Bevestig uw inschrijving bij ${project}`,
    request: (project) =>
      `U hebt gevraagd om berichten van ${project} te ontvangen. Wilt u bevestigen dat dit uw adres is?`,
    button: 'Mijn inschrijving bevestigen',
    closing: 'Hebt u hier niet om gevraagd? Dan hoeft u niets te doen: zonder uw bevestiging wordt er niets verzonden.',
  },
  sign_up: { button: 'Abonneren' },
  own_link: {
    title: 'Uw aanmelding beheren',
    text: 'Vul het adres in waarop u deze berichten ontvangt. We sturen er een persoonlijke link naartoe.',
    email: 'E-mailadres',
    button: 'Stuur de link',
    sent: 'Als dit adres onze berichten ontvangt, is de link onderweg.',
    subject: (project) => `Uw link voor ${project}`,
    request: (project) =>
      `U hebt de link naar uw aanmelding bij ${project} aangevraagd. Daarmee opent u de pagina waarop u lijsten kiest of zich afmeldt.`,
    closing: 'Als u dit niet hebt aangevraagd, hoeft u niets te doen. Er is niets veranderd.',
  },
  letters: { title: 'Verzonden brieven', older: 'Ouder', newer: 'Nieuwer', none: 'Er is nog niets verzonden.' },
  email: {
    unsubscribe: 'Uitschrijven',
    preferences: 'Voorkeuren',
    view: 'Bekijk in de browser',
    read_more: 'Lees verder',
  },
  consent: {
    label: 'Toestemming',
    question: 'Mag deze site diensten gebruiken die niet noodzakelijk zijn?',
    accept: 'Accepteren',
    decline: 'Weigeren',
    choose: 'Kiezen',
    save: 'Keuze opslaan',
    reopen: 'Privacykeuzes',
    privacy: 'Privacy',
    functional: 'Functioneel',
    functional_purpose: 'Extra’s zoals chats, kaarten en video’s.',
    analytics: 'Statistieken',
    analytics_purpose: 'Telt bezoeken, zodat de site beter wordt.',
    advertising: 'Reclame',
    advertising_purpose: 'Toont advertenties en meet het effect ervan.',
  },
  form_notice: {
    entries: (count) => `Nieuwe inzendingen van uw formulieren: ${count}`,
    more: (count) => `Overige inzendingen: ${count}`,
    button: 'Lees ze in Masthead',
    closing: (project) =>
      `U krijgt dit bericht omdat het project ‘${project}’ u vertelt wat zijn formulieren ontvangen.`,
  },
}
