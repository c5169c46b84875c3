extension PasswordRule {
    /// The most frequent passwords and the words in them, in English and French, without accents, digits and signs,
    /// which the rule removes first.
    static let commonWords = Set(
        """
        password passwort motdepasse passe passwd passcode pass secret secrete letmein welcome bienvenue bonjour bonsoir \
        salut coucou hello hellothere hallo ciao admin administrator administrateur root user utilisateur guest invite \
        default changeme changemenow changezmoi temporary temporaire test testing tester testtest demo login signin access \
        acces master maitre superman batman spiderman starwars pokemon naruto minecraft fortnite roblox nintendo mario \
        iloveyou iloveu jetaime jtaime moncoeur monamour monange mavie love lovely lovers amour bisous cherie cheri doudou \
        loulou chouchou princess princesse prince king queen reine angel ange sunshine soleil moon lune star etoile flower \
        fleur rose butterfly papillon rainbow licorne unicorn dragon monkey tiger lion panther eagle shadow ninja samurai \
        hunter ranger killer warrior wizard magic magique mystere mystery freedom liberte whatever trustno trustnoone \
        nothing nothing rien football soccer baseball basketball hockey rugby tennis marseille olympique juventus barcelona \
        liverpool chelsea arsenal canadiens yankees cowboys lakers jordan michael jessica jennifer ashley daniel thomas \
        nicolas julien alexandre camille marine charlotte chocolat chocolate cookie banana orange apple cerise vanille \
        coffee cafe pizza cheese fromage cupcake pumpkin summer ete winter hiver spring printemps autumn automne january \
        janvier february fevrier march mars april avril may mai june juin july juillet august aout september septembre \
        october octobre november novembre december decembre monday lundi tuesday mardi wednesday mercredi thursday jeudi \
        friday vendredi saturday samedi sunday dimanche christmas noel birthday anniversaire family famille mother maman \
        father papa parents baby bebe brother sister soeur frere friend friends amis copain copine happy happiness bonheur \
        heureux lucky chance smile sourire music musique guitar guitare piano dance danse computer ordinateur internet \
        google facebook instagram youtube snapchat tiktok microsoft windows apple iphone samsung android linux ubuntu \
        mercedes ferrari porsche corvette mustang harley yamaha ducati peugeot renault paris london londres montreal quebec \
        toulouse bordeaux lyon france canada america english french espana italia deutschland school work travail home \
        maison house office bureau garden jardin money argent dollar bitcoin business company entreprise service support \
        security securite private prive personal personnel important forever toujours always never jamais nevermind \
        please merci thanks thankyou yesyes nonono qwerty qwertz azerty asdf asdfgh zxcvbn abcd abcdef abc abcabc \
        blink metallica nirvana slipknot eminem tupac beatles matrix jesus christ god dieu heaven paradise paradis phoenix \
        thunder tonnerre lightning silver golden diamond diamant crystal cristal purple violet yellow jaune black noir \
        white blanc green vert blue bleu red rouge pink pinky kitty minou chaton kitten puppy chiot doggy buddy charlie \
        maggie ginger bella simba snoopy garfield donald mickey disney harry harrypotter potter hogwarts gandalf frodo
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
