// Words and sentences of the languages of the pages, for typing and for spelling without a list. Written for this program.

/** @typedef {{ words: string[], sentences: string[], lists: { easy: string[], medium: string[], hard: string[] } }} Vocabulary */

/** @param {string} text */
const split = (text) => text.trim().split(/\s+/);

/** @type {Record<"en" | "fr", Vocabulary>} */
export const vocabulary = {
  en: {
    words: split(`
      ad add ash ask dad fad fall flag flash gas glad glass had half hall has lad lag salad sash shall
      all art ate day dry ear eat egg eye far fast fat feast few fig fire fish fly free get gift girl grass great gray hat
      head heart high hill hope horse hot hour house idea its jar joy just key kite lake late leaf left life light lights
      oak oil old other our owl page park paper past path pear people pet play please quiet rain rest rice ride right road
      rose said sail salt says school sea seat she ship shop side sister sit sky small snow soft soil star stay steps still
      story sugar sweet tail tall tea their these they thing tide tight top toy tree trip true try up use wait walk wall
      water way week well were west what wheat where whole wild win wish with word work world write yard year yes you
      back band bean bear bell big bird black boat book box bread bring brown bus busy cabin came can cave center change
      chair child class clean cloud cold color come cook corn cup dance deep dog door down drum end even every farm
      field find five flower forest found fox friend from garden give gold good green ground grow hand help home jump
      kind king know ladder large learn line lion long look made make map math maze mice milk mind money month moon
      morning mouse mouth move music name near nest never new next nice night nine noon north nose number ocean one open
      orange over pen piano pink place plant quick rabbit read river room round row run sand seven shoe sing six sleep
      song sound south spoon spring stone storm street summer sun swim table ten than then this time town train two
      under very village visit voice warm wave wind window winter wood yellow young zebra zero zoo`),
    sentences: [
      "The cat sleeps on the red cushion.", "We walk to the river, then we rest.", "Where is the small blue box?",
      "My sister plants beans in spring.", "Rain falls, and the garden drinks.", "Can you hear the owl at night?",
      "First we count, then we write.", "The oven is hot, so we wait.", "What do bees carry home?",
      "A long path leads to the lake.", "Bread, salt and water are ready.", "He reads aloud, and she listens.",
    ],
    lists: {
      easy: split("cat dog sun hat bed pig red cup fish milk tree frog star hand moon nest lamp drum ship bell"),
      medium: split(`garden winter yellow rabbit mother kitchen morning orange school water friend people pencil summer
        window thunder feather blanket market village`),
      hard: split(`beautiful neighborhood because different February island knowledge library rhythm scissors separate
        surprise through thought tomorrow vegetable Wednesday necessary believe enough`),
    },
  },
  fr: {
    words: split(`
      fil fils gel hall lin dis sol sel sale salle salade dalle malle mal ils les des las flash gala
      ami aimer aller amie arbre arriver art assez autre aussi avril beurre bien bleu blanc bois bon bonne bord bras
      calme carte chaise champ chant chat chaud chemin cheval chez chien ciel cinq clair classe clef coin comme conte
      corde couleur cour crayon cube cuisine dame danse dans date demain demi deux dire dix doigt dormir doux droit eau
      elle encore enfant ensemble entre envie faire famille farine femme ferme feu feuille fille fleur foin fois forme
      fort fou four frais froid fruit gant gare gomme grand gris gros haut herbe heure hier hiver homme huile huit ici
      idole image jambe jardin jaune jeu jeudi joie joli jour juin jus lac laine lait lampe lapin large leur ligne lire
      lit livre loin long loup lourd lune lundi main maison maman marche mardi marron matin mer merci mettre miel mille
      moins mois monde montagne montrer mot mouton mur nager neige neuf nid noir nom non nord nuage nuit oiseau oncle
      onze orage orange oser ours ouvrir page pain panier papa papier parc parler partir pas patte pays peau petit peu
      pied pierre place plage plante pluie plume poche poire pois pomme pont porte poser pour pouvoir prendre puits
      quand quatre que qui quoi rang rare regarder repas reste rien rire rivage riz robe roi rond rose rouge route rue
      sable sac sage sapin savon savoir seau sept serpent seul sien six soir soleil son sortir soupe sourire souris sous
      sucre sud sur table tard tasse temps tenir terre tigre tiroir toit tomber toujours tour tout train travail treize
      trois trop trouver vache vague vallon vent venir ventre verre vers vert veste vie village ville vin vite voir
      voisin voix wagon yeux zoo
      été école élève étoile épi vérité bébé café clé blé thé pré dé fée idée épée musée santé
      mère père frère après très près chèvre règle lièvre crème façon garçon leçon reçu là voilà déjà où
      tête fête fenêtre forêt rêve âne gâteau château pâte île boîte dîner maître hôtel côté drôle août flûte sûr`),
    sentences: [
      "Le chat dort sur le coussin rouge.", "On marche vers le lac, puis on se repose.", "Qui a ouvert la porte du jardin ?",
      "Ma voisine plante des fleurs au printemps.", "La pluie tombe, le jardin boit.", "Que porte la petite souris ?",
      "On compte, puis on lit.", "Le four est chaud, on attend.", "Un long chemin va au village.",
      "Le pain, le sel et le lait sont sur la table.", "Il chante fort, elle rit.", "Quand part le train du matin ?",
    ],
    lists: {
      easy: split("ami mur sac vélo lune chat papa lit rue robe midi moto pomme sable cube lapin livre table tomate salade"),
      medium: split(`maison jardin oiseau école cheval montagne fenêtre garçon chemin famille chapeau poisson étoile château
        bouteille manteau gâteau forêt lumière camion`),
      hard: split(`aujourd’hui accueil bibliothèque longtemps orthographe parapluie arc-en-ciel œuf appétit automne
        beaucoup chrysalide hélicoptère hippopotame mystère rythme sculpture succès toujours écureuil`),
    },
  },
};
