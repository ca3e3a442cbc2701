"""Makes sentences about people's lives: statements, questions about them, requests.

Word lists come from WordNet's topic files (food, animals, people, acts, ...), so that the
sentences cover far more words than a hand-made list would; the templates are our own.
"""

import random

NAMES = """Ana Ben Carla David Emma Farid Grace Hana Ivan Julia Kenji Laura Maria Nina Omar Paula Quinn
Rosa Sam Tom Uma Victor Wendy Xin Yara Zoe Alice Bob Charlie Diana Eric Fiona George Helen Ian Jack Kate
Leo Mia Noah Olivia Peter Rachel Sarah Tim Vera Will Yuki Zach Anna Max Lily Lucas Sofia Daniel Elena""".split()

KIN = """mother father sister brother wife husband daughter son grandmother grandfather aunt uncle cousin
nephew niece partner girlfriend boyfriend fiancee roommate neighbour boss colleague manager friend
best-friend mum dad grandma grandpa mother-in-law father-in-law baby kid teacher mentor client landlord
therapist doctor dentist coach""".split()

CITIES = """Lisbon Paris London Berlin Madrid Rome Tokyo Kyoto Osaka Beijing Shanghai Seoul Sydney Melbourne
Toronto Vancouver Montreal Boston Chicago Seattle Denver Austin Dallas Houston Miami Atlanta Portland
Vienna Prague Warsaw Budapest Athens Istanbul Cairo Nairobi Lagos Mumbai Delhi Bangkok Singapore Hanoi
Jakarta Manila Dublin Edinburgh Glasgow Oslo Stockholm Copenhagen Helsinki Amsterdam Brussels Zurich
Geneva Milan Florence Barcelona Porto Mexico Lima Bogota Santiago Havana""".split()

COUNTRIES = """Portugal France England Germany Spain Italy Japan China Korea Australia Canada Mexico Brazil
Argentina Chile Peru India Thailand Vietnam Indonesia Egypt Morocco Kenya Nigeria Turkey Greece Poland
Sweden Norway Denmark Finland Iceland Ireland Scotland Netherlands Belgium Switzerland Austria Hungary""".split()

WHEN = """yesterday|last week|last month|last summer|two years ago|in May|in 2019|this morning|on Friday|over
the weekend|during the holidays|recently|when I was a child|in college|last night|a few days ago|on 12 March
2023|around Christmas|for my birthday|next month|tomorrow|tonight|next year|every day|twice a week|on Sundays|
after work|before breakfast|at noon|at 7 pm""".replace("\n", " ").split("|")

TOOLS = """Python|Rust|JavaScript|TypeScript|Java|Go|SQL|Docker|Kubernetes|Git|Linux|Excel|Photoshop|Figma|
PostgreSQL|Redis|React|Django|Flask|Vim|Emacs|a spreadsheet|Terraform|AWS|Bash|pandas|TensorFlow|LaTeX|Slack|
Notion|a calendar app|a budgeting app|GitHub|Jenkins|an API|a web server|a database|a CSV file""".replace("\n", "").split("|")

FEEL = """happy sad excited nervous proud tired anxious lonely grateful angry relieved stressed worried hopeful
bored confused overwhelmed inspired jealous calm frustrated homesick disappointed motivated""".split()

# {f} food, {n} name, {k} kin, {c} city, {o} country, {w} when, {t} tool, {e} feeling, {a} animal, {p} person
# or occupation, {x} artifact, {v} act, {i} illness or state, {l} plant, {s} subject, {y} body part, {b} verb
STATEMENTS = """I am allergic to {f}.|I can't eat {f}, it makes me sick.|I don't like {f}.|I hate {f}.|I love {f} with {f}.
My favourite food is {f}.|I have been eating less {f} {w}.|I'm vegetarian and I avoid {f}.|I'm on a diet without {f}.
I usually have {f} and {f} for breakfast.|For dinner we cooked {f} {w}.|I drink {f} every morning.|{n} made {f} for us {w}.
My {k} is allergic to {f}.|My {k} loves {f}.|{n} can't stand {f}.|We ordered {f} at the restaurant {w}.
I have a {a} named {n}.|My {a} died {w}.|I adopted a {a} {w}.|I'm afraid of the {a}.|{n} wants to get a {a}.|We saw a {a} {w}.
I work as a {p}.|My {k} is a {p}.|{n} used to be a {p}.|I want to become a {p}.|I got promoted to {p} {w}.|I quit my job as a {p} {w}.
I'm looking for a job as a {p}.|I'm studying {s} at university.|My {k} teaches {s}.|{n} has a degree in {s}.|I'm writing a paper about {s}.
I live in {c}.|I moved from {c} to {c} {w}.|I grew up in {o}.|{n} lives in {c} with a {k}.|I was born in {c}.|My {k} comes from {o}.
I'm going to {o} {w}.|I visited {c} with {n} {w}.|We're planning a trip to {o}.|I booked a flight to {c}.|I prefer trains to planes.
I prefer {v} to {v}.|I really enjoy {v}.|I started {v} {w}.|I gave up {v} {w}.|{n} is into {v} lately.|My hobbies are {v} and {v}.
{n} and I went {v} {w}.|I don't have time for {v}.|I signed up for a {v} class.|My {k} taught me {v}.|I would rather avoid {v}.
I was diagnosed with {i} {w}.|My {k} has {i}.|I suffer from {i}.|I broke my {y} {w}.|My {y} hurts.|{n} had surgery on the {y}.
I'm taking medicine for {i}.|I have an appointment with the {p} {w}.|I feel {e} about my {v}.|I was {e} when {n} called {w}.
I bought a {x} {w}.|I lost my {x}.|My {x} is broken.|{n} gave me a {x} for my birthday.|I need a new {x}.|I keep my {x} in the {x}.
I collect {x}s.|I'm building a {x} with my {k}.|We painted the {x} {w}.|I sold my old {x}.|I use {t} every day.|I prefer {t} over {t}.
I'm learning {t}.|My team uses {t} and {t}.|I get an error when I use {t}.|I deployed the project with {t} {w}.|I'm writing a script in {t}.
The deadline of the project is {w}.|The meeting with {n} is {w}.|I have a meeting about {s} {w}.|My birthday is {w}.|Our anniversary is {w}.
{n} and {n} got married {w}.|My {k} is getting divorced.|I have two children, {n} and {n}.|My {k} {n} is turning 40 {w}.|{n} is pregnant.
My {k} passed away {w}.|I had a fight with {n} about {x}.|I'm planning a party for my {k}.|I'm saving money for a {x}.|I can't afford a {x}.
My rent went up {w}.|I wake up at six.|I can't sleep because of {i}.|I go to bed late.|I run five kilometres {w}.|I do {v} {w}.
I'm growing {l} in my garden.|The {l} on my balcony is dying.|I'm reading a book about {s}.|I watched a film about a {p} {w}.
I listen to music while {v}.|I play the guitar.|{n} recommended a book about {s}.|Call me {n}.|My name is {n}.|I'm {n}, a {p} from {c}.
Please keep answers short.|I like detailed explanations with examples.|I prefer to be called {n}.|I don't drink alcohol.|I don't eat meat.
I prefer window seats.|I'm colour-blind.|I'm left-handed.|I use a wheelchair.|I'm religious.|I believe in {s}.|I volunteer at a {x} {w}.
{n}: I finally finished the {v}! I'm so {e}.|{n}: Wow, that's great! How was the {v}?|{n}: I've been busy with {v} and {v} {w}.
{n}: My {k} and I went to {c} {w}, we ate {f} and saw a {a}.|{n}: I'm thinking of becoming a {p}. I care about {s}.
I value {s} more than money.|I'm uncomfortable with {s}.|I always pay with cash.|I try to buy sustainable {x}s.|I don't want a {x} with {x}.
I only read books by women.|I prefer small hotels to big resorts.|I avoid crowded places.|I hate surprises.|I like quiet places with {l}.
You should try {v}, it helps with {i}.|Have a look at the {x}, it works with the {x}.|To fix the {x} you need a {x}.|The {p} told me to {b}.
I want to {b} more.|I tried to {b} {w}.|{n} likes to {b}.|I forgot to {b}.|We decided to {b} and then {b}.|It is important to {b}.""".replace("\n", "|").split("|")

QUESTIONS = """What can't I eat?|What food should I avoid?|Can I eat {f}?|What should I cook for {n}?|What should I order at the restaurant?
Can you recommend a recipe with {f}?|What do I usually drink?|What is {n}'s favourite food?|Is anyone allergic to {f}?|What did we eat {w}?
What's a good snack for a trip to {c}?|Could you suggest some {f} dishes?|What pets do I have?|What is the name of my {a}?|When did I get the {a}?
Does {n} have a {a}?|What do I do for a living?|What is my {k}'s job?|Where does {n} work?|What did {n} do before becoming a {p}?
What career would suit me?|What do I study?|Where do I live?|Where did I live before {c}?|Where is {n} from?|Which city did {n} move to {w}?
When did I visit {c}?|When is the trip to {o}?|How should I travel to {o}?|Can you recommend a hotel in {c}?|What are must-see places in {o}?
What are my hobbies?|What does {n} do to relax?|What did {n} do {w}?|How often does {n} go {v}?|When did {n} start {v}?|Who taught me {v}?
What should I do this weekend?|Can you suggest an activity for my {k}?|What illness does my {k} have?|What medicine do I take?|Why does my {y} hurt?
When is my appointment with the {p}?|How did {n} feel about the {v}?|Why was {n} {e}?|What did I buy {w}?|Where did I leave my {x}?
What did {n} give me?|What should I buy {n} as a gift?|What is a good present for a {p}?|Which {x} should I choose?|How do I fix my {x}?
Which programming language do I prefer?|How do I use {t} with {t}?|What tools does my team use?|Why does {t} fail?|How can I learn {t}?
When is the deadline?|When do I meet {n}?|What is planned for {w}?|When is {n}'s birthday?|How old is my {k}?|What are my children called?
Who is {n}?|Who did {n} marry?|How did {n} and {n} meet?|What happened to my {k}?|What did I argue about with {n}?|What am I saving for?
What time do I get up?|Why can't I sleep?|What plants do I grow?|What is {n} reading?|What music do I like?|Which instrument does {n} play?
What's my name?|How should you address me?|How long should your answers be?|Where should I sit on the plane?|Can you recommend a book?
Can you recommend a good film about {s}?|What are some ways to {b}?|How can I {b}?|Why did {n} {b}?|When did we decide to {b}?
What would {n} think about {s}?|What does {n} believe about {s}?|Which {x} did {n} buy {w}?|What are the health problems of {n}?
What advice did you give me about {v}?|What did you tell me about the {x}?|How many times did I {b} {w}?|Summarise what I said about {s}.
How much did the {x} cost?|What is the best way to learn {s}?|Can you help me plan {v} for {w}?|I'm going to {c}, what should I do there?
I want to throw a party for my {k}, any ideas?|What kind of {x} would fit my home?|Which exercise is good for my {y}?""".replace("\n", "|").split("|")

SLOT_FILES = {  # slot: WordNet topic files
    "f": ["noun.food"], "a": ["noun.animal"], "p": ["noun.person"], "x": ["noun.artifact"], "v": ["noun.act"],
    "i": ["noun.state"], "l": ["noun.plant"], "s": ["noun.cognition", "noun.communication", "noun.attribute"],
    "y": ["noun.body"], "b": ["verb"],
}


def fill(template, rng, words):
    """Puts words into a template's slots."""
    out, i = [], 0
    while i < len(template):
        if template[i] == "{" and template[i + 2] == "}":
            slot = template[i + 1]
            if slot in words:
                out.append(words[slot](rng))
            else:
                fixed = {"n": NAMES, "k": KIN, "c": CITIES, "o": COUNTRIES, "w": WHEN, "t": TOOLS, "e": FEEL}[slot]
                out.append(rng.choice(fixed).replace("best-friend", "best friend"))
            i += 3
        else:
            out.append(template[i])
            i += 1
    text = "".join(out)
    return text[0].upper() + text[1:]


def chooser(ranked):
    """Chooses from a list ordered by frequency, the front more often: half of the picks from the first sixth."""
    def choose(rng):
        return ranked[int(len(ranked) * rng.random() ** 2.6)]
    return choose


def generate(count, topic_words, seed):
    """Makes `count` different texts: 60 % statements, 40 % questions; one in eight joins two or three."""
    rng = random.Random(seed)
    words = {slot: chooser(topic_words[slot]) for slot in SLOT_FILES}
    seen = set()
    for _ in range(count * 4):
        if len(seen) >= count:
            break
        if rng.random() < 0.4:
            text = fill(rng.choice(QUESTIONS), rng, words)
        else:
            text = fill(rng.choice(STATEMENTS), rng, words)
        if rng.random() < 0.125:
            more = [fill(rng.choice(STATEMENTS), rng, words) for _ in range(rng.randint(1, 2))]
            text = " ".join([text] + more)
        seen.add(text)
    return sorted(seen)
