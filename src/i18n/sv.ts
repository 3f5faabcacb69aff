import type { Translations } from './translations.ts'

export const sv: Translations = {
  lang: 'sv',
  not_found: [
    'Länken fungerar inte',
    'Den är ofullständig eller har ändrats på vägen. Öppna den igen från meddelandet.',
  ],
  gone: ['Länken gäller inte längre', 'Din adress finns inte längre sparad här, så du behöver inte göra något mer.'],
  failed: ['Något gick fel', 'Försök igen om en liten stund.'],
  test_message: ['Det här var ett testmeddelande', 'Länkarna i det ändrar ingenting.'],
  confirm: {
    title: 'Bekräfta din prenumeration',
    text: (names, address) => `Så snart du har bekräftat går utskicken från ${names} till ${address}.`,
    button: 'Bekräfta min prenumeration',
    hint: 'Om du inte har bett om detta kan du bara stänga sidan: utan din bekräftelse skickas ingenting.',
  },
  confirmed: ['Din prenumeration är bekräftad', (names) => `Tack! Från och med nu får du utskicken från ${names}.`],
  nothing_to_confirm: [
    'Det finns inget att bekräfta',
    'Din prenumeration är redan bekräftad, eller så har du avslutat den sedan dess.',
  ],
  unsubscribe: {
    title: 'Avsluta prenumerationen',
    text: (address) => `Vilka utskick ska inte längre gå till ${address}?`,
    lists: (names) => `Avsluta prenumerationen på ${names}`,
    everything: 'Avsluta alla prenumerationer',
    preferences: 'Välj listor i stället',
  },
  unsubscribed: ['Din prenumeration är avslutad', (address) => `Inga fler utskick går till ${address}.`],
  unsubscribed_lists: ['Din prenumeration är avslutad', (names) => `Du får inte längre utskicken från ${names}.`],
  preferences: {
    title: 'Dina inställningar',
    text: (address) => `Välj vilka utskick som ska gå till ${address}.`,
    legend: 'Listor',
    pending: 'Väntar på din bekräftelse; kryssa i rutan för att bekräfta nu.',
    none: 'Det finns inga listor att välja bland.',
    save: 'Spara',
    unsubscribe_all: 'Avsluta alla prenumerationer',
    saved: 'Ditt val har sparats.',
    blocked:
      'Utskick till den här adressen är spärrade, så det gick inte att lägga till en lista. Kontakta avsändaren.',
    unsubscribed: 'Alla dina prenumerationer är avslutade. Kryssa i en lista och spara för att få den igen.',
  },
  forms: {
    sent: ['Tack!', 'Ditt meddelande har skickats.'],
    signed_up: ['Tack!', 'Om en bekräftelse behövs är den på väg till din inkorg.'],
    refused: ['Det skickades inte', 'Något saknas eller stämmer inte. Gå tillbaka och kontrollera det du har fyllt i.'],
    too_many: ['Vänta ett ögonblick', 'Det har skickats för många gånger. Försök igen om en minut.'],
    failed: ['Något gick fel', 'Försök igen om en liten stund.'],
  },
  confirmation: {
    subject: (project) => `Bekräfta din prenumeration på ${project}`,
    request: (project) => `Du har bett om att få utskick från ${project}. Bekräfta att det här är din adress.`,
    button: 'Bekräfta min prenumeration',
    closing: 'Om du inte har bett om detta behöver du inte göra något: utan din bekräftelse skickas ingenting.',
  },
  sign_up: { first_name: 'Förnamn', last_name: 'Efternamn', button: 'Prenumerera' },
  own_link: {
    title: 'Hantera din prenumeration',
    text: 'Ange adressen som får de här meddelandena. Vi skickar en personlig länk dit.',
    email: 'E-postadress',
    button: 'Skicka länken',
    sent: 'Om adressen får våra meddelanden är länken på väg.',
    subject: (project) => `Din länk för ${project}`,
    request: (project) =>
      `Du har bett om länken till din prenumeration på ${project}. Den öppnar sidan där du väljer listor eller avslutar prenumerationen.`,
    closing: 'Om du inte har bett om detta behöver du inte göra något. Inget har ändrats.',
  },
  letters: { title: 'Skickade brev', older: 'Äldre', newer: 'Nyare', none: 'Inget har skickats ännu.' },
  email: {
    unsubscribe: 'Avsluta prenumerationen',
    preferences: 'Inställningar',
    view: 'Visa i webbläsaren',
    read_more: 'Läs mer',
  },
}
