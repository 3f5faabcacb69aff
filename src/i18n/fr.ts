import type { Translations } from './translations.ts'

export const fr: Translations = {
  lang: 'fr',
  not_found: [
    'Ce lien ne fonctionne pas',
    'Il est incomplet ou a été modifié en cours de route. Veuillez l’ouvrir à nouveau depuis le message.',
  ],
  gone: [
    'Ce lien n’est plus valable',
    'Votre adresse n’est plus enregistrée ici\u00a0: vous n’avez plus rien à faire.',
  ],
  failed: ['Une erreur s’est produite', 'Veuillez réessayer dans un instant.'],
  test_message: ['Ceci était un message de test', 'Ses liens sont sans effet.'],
  confirm: {
    title: 'Confirmer votre abonnement',
    text: (names, address) =>
      `Dès que vous aurez confirmé votre abonnement à ${names}, les messages seront envoyés à l’adresse ${address}.`,
    button: 'Confirmer mon abonnement',
    hint:
      'Si vous n’êtes pas à l’origine de cette demande, fermez simplement cette page\u00a0: sans votre ' +
      'confirmation, rien ne sera envoyé.',
  },
  confirmed: [
    'Votre abonnement est confirmé',
    (names) => `Merci. Votre abonnement à ${names} commence dès maintenant.`,
  ],
  nothing_to_confirm: [
    'Il n’y a rien à confirmer',
    'Votre abonnement a déjà été confirmé, ou vous y avez mis fin depuis.',
  ],
  unsubscribe: {
    title: 'Se désabonner',
    text: (address) => `Quels messages ne doivent plus être envoyés à l’adresse ${address}\u202f?`,
    lists: (names) => `Mettre fin à l’abonnement à ${names}`,
    everything: 'Se désabonner de tout',
    preferences: 'Choisir plutôt mes listes',
  },
  unsubscribed: [
    'Votre désabonnement est enregistré',
    (address) => `Plus aucun message ne sera envoyé à l’adresse ${address}.`,
  ],
  unsubscribed_lists: [
    'Votre désabonnement est enregistré',
    (names) => `Votre abonnement à ${names} a pris fin\u00a0: vous n’en recevrez plus les messages.`,
  ],
  preferences: {
    title: 'Vos préférences',
    text: (address) => `Choisissez les messages à envoyer à l’adresse ${address}.`,
    legend: 'Listes',
    pending: 'En attente de votre confirmation\u202f; cochez la case pour confirmer maintenant.',
    none: 'Aucune liste n’est proposée.',
    save: 'Enregistrer',
    unsubscribe_all: 'Se désabonner de tout',
    saved: 'Votre choix a été enregistré.',
    blocked:
      'Les envois à cette adresse sont bloqués\u00a0: l’abonnement à une liste n’a donc pas été possible. ' +
      'Veuillez vous adresser à l’expéditeur.',
    unsubscribed: 'Vous n’avez plus aucun abonnement. Pour recevoir à nouveau une liste, cochez-la et enregistrez.',
  },
  forms: {
    sent: ['Merci', 'Votre message a été envoyé.'],
    signed_up: ['Merci', 'Si une confirmation est nécessaire, un message est en route vers votre boîte de réception.'],
    refused: [
      'L’envoi n’a pas été effectué',
      'Une information manque ou n’est pas correcte. Veuillez revenir en arrière et vérifier votre saisie.',
    ],
    too_many: ['Un instant, s’il vous plaît', 'Les envois ont été trop nombreux. Veuillez réessayer dans une minute.'],
    failed: ['Une erreur s’est produite', 'Veuillez réessayer dans un instant.'],
  },
  confirmation: {
    subject: (project) => `${project}\u00a0: veuillez confirmer votre abonnement`,
    request: (project) =>
      `Vous avez demandé à recevoir les messages envoyés par ${project}. Veuillez confirmer que cette adresse ` +
      `est bien la vôtre.`,
    button: 'Confirmer mon abonnement',
    closing:
      'Si vous n’êtes pas à l’origine de cette demande, vous n’avez rien à faire\u00a0: sans votre ' +
      'confirmation, rien ne sera envoyé.',
  },
  sign_up: { button: 'S’abonner' },
  own_link: {
    title: 'Gérer votre abonnement',
    text: 'Saisissez l’adresse qui reçoit ces messages. Nous y enverrons un lien personnel.',
    email: 'Adresse e-mail',
    button: 'Envoyer le lien',
    sent: 'Si cette adresse reçoit nos messages, le lien est en route.',
    subject: (project) => `Votre lien pour ${project}`,
    request: (project) =>
      `Vous avez demandé le lien vers votre abonnement à ${project}. Il ouvre la page où vous choisissez vos listes ou vous désabonnez.`,
    closing: 'Si vous n’êtes pas à l’origine de cette demande, vous n’avez rien à faire. Rien n’a changé.',
  },
  letters: {
    title: 'Lettres envoyées',
    older: 'Plus anciennes',
    newer: 'Plus récentes',
    none: 'Rien n’a encore été envoyé.',
  },
  email: {
    unsubscribe: 'Se désabonner',
    preferences: 'Préférences',
    view: 'Voir dans le navigateur',
    read_more: 'Lire la suite',
  },
  consent: {
    label: 'Consentement',
    question: 'Ce site peut-il utiliser des services non essentiels ?',
    accept: 'Accepter',
    decline: 'Refuser',
    choose: 'Choisir',
    save: 'Enregistrer le choix',
    reopen: 'Choix de confidentialité',
    privacy: 'Confidentialité',
    functional: 'Fonctionnels',
    functional_purpose: 'Des compléments comme les discussions, les cartes et les vidéos.',
    analytics: 'Mesure d’audience',
    analytics_purpose: 'Compte les visites pour améliorer le site.',
    advertising: 'Publicité',
    advertising_purpose: 'Affiche des publicités et en mesure l’effet.',
  },
  form_notice: {
    entries: (count) => `Nouvelles réponses à vos formulaires : ${count}`,
    more: (count) => `Autres réponses : ${count}`,
    button: 'Les lire dans Masthead',
    closing: (project) =>
      `Vous recevez ce message parce que le projet « ${project} » vous informe de ce que ses formulaires reçoivent.`,
  },
}
