"""The built-in rules: one file a group of options of the rule book, each decided here and nowhere else.

They come through the same door as anybody's: the entry-point group ``gunzi``, where the entry point's name is the plugin's
id, ``gunzi.plugins.<module>``, and its class is the module's name in capitals:

    deck           Deck           what is dealt                      section 2
    points         Points         what a card is worth               2
    permanent      Permanent      常主, the permanent trumps         2
    first_dealer   FirstDealer    抢亮大王, the claim                3.1
    reveal         Reveal         翻底牌定庄                         3.1
    declare        Declare        亮主 and 反                        3.2
    dry_pot        DryPot         干锅                               3.3
    bury           Bury           扣底                               3.4
    bury_kings     BuryKings      扣王 by the other seats            3.4
    tribute        Tribute        进贡 (喝血) and 还贡               3.5
    lead           Lead           what may be led                    2
    follow         Follow         活棒 and 死棒                      3.6
    trick          Trick          who wins a trick                   2
    capture        Capture        抠底                               2
    levels         Levels         升级                               3.7
    rotation       Rotation       who deals next                     3.7
    endings        Endings        what ends a round at once          3.8
    scoring        Scoring        the score sheet                    3.9
    titles         Titles         称号                               3.9

No plugin imports another; what one needs of another's group it reads as an option.
"""
