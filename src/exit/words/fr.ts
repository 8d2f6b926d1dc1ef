import type { ExitWords } from './exit-words';

export const FR: ExitWords = {
  language: 'Français',
  title: { termination: 'Résilier votre contrat', withdrawal: 'Renoncer à votre contrat' },
  intro: {
    termination:
      'Remplissez le formulaire, puis appuyez sur le bouton. Vous recevrez aussitôt une confirmation avec la date et l’heure.',
    withdrawal:
      'Remplissez le formulaire, puis appuyez sur le bouton. Vous recevrez aussitôt une confirmation avec la date et l’heure.',
  },
  other: { termination: 'Résilier le contrat ici', withdrawal: 'Renoncer au contrat ici' },
  fillIn: 'Remplir',
  confirm: 'Confirmer',
  name: 'Votre nom et votre prénom',
  contract: 'Votre contrat',
  contractHint: 'Par exemple votre numéro de client, de contrat ou de commande.',
  email: 'Adresse e-mail pour la confirmation',
  termination: 'Type de résiliation',
  terminations: {
    ordinary: 'Résiliation ordinaire, sans motif',
    extraordinary: 'Résiliation anticipée, pour un motif légitime',
  },
  reason: 'Motif de la résiliation anticipée',
  reasonHint: 'Seulement si vous résiliez pour un motif légitime.',
  when: 'Date à laquelle le contrat doit prendre fin',
  whenHint: 'Laissez ce champ vide pour que le contrat prenne fin dès que possible.',
  effect: {
    termination: 'En appuyant sur ce bouton, vous déclarez résilier votre contrat.',
    withdrawal:
      'En appuyant sur ce bouton, vous déclarez renoncer à votre contrat en exerçant votre droit de rétractation.',
  },
  button: { termination: 'Résilier maintenant', withdrawal: 'Confirmer la rétractation' },
  leaveEmpty: 'Laissez ce champ vide',
  faulty: 'Rien n’a encore été déclaré. Veuillez vérifier\u00a0:',
  missing: 'Veuillez remplir ce champ.',
  noEmail: 'Veuillez saisir une adresse e-mail telle que name@example.com.',
  tooLong: 'Ce texte est trop long.',
  mustBeEmpty: 'Veuillez laisser ce champ vide.',
  unavailable:
    'Nous ne pouvons pas enregistrer votre déclaration pour le moment. Sans confirmation, elle n’est pas considérée comme reçue. Ce que vous avez saisi est toujours là\u00a0: veuillez appuyer de nouveau sur le bouton dans une minute. Appuyer deux fois ne pose aucun problème.',
  tooMany: (minutes) =>
    `Votre déclaration n’a pas été acceptée, car trop de déclarations sont arrivées en peu de temps. Ce que vous avez saisi est toujours là\u00a0: veuillez appuyer de nouveau sur le bouton dans ${minutes}\u00a0min.`,
  otherWays: 'Vous pouvez aussi procéder autrement\u00a0:',
  toCancellationPage: 'Aller à la page de résiliation',
  writeTo: 'Écrire à',
  notFound: 'Il n’y a rien à cette adresse.',
  receipt: {
    subject: (product) => `Confirmation\u00a0: ${product}`,
    title: {
      termination: 'Nous avons reçu votre résiliation',
      withdrawal: 'Nous avons reçu votre rétractation',
    },
    lead: 'Voici ce que vous avez déclaré\u00a0:',
    number: 'Numéro',
    received: 'Reçue le',
    kind: 'Déclaration',
    kinds: { termination: 'Résiliation du contrat', withdrawal: 'Rétractation du contrat' },
    product: 'Produit',
    asSoonAsPossible: 'Dès que possible',
    keep: 'Veuillez conserver cette confirmation.',
    alsoByMail: (email) => `Nous envoyons aussi cette confirmation à ${email}.`,
    asText: 'Enregistrer en format texte',
    asHtml: 'Enregistrer comme page web',
    canceledTitle: 'Nous avons reçu votre demande de résiliation',
    canceledLead: 'Voici ce que vous avez demandé\u00a0:',
    goOn: 'Continuer sur',
  },
};
