(** * The largest misclassification error distance

    n MED = n - k where k is the weight of a best matching of rows to columns, so the question is the
    least k over the tables with total n and no empty row or column.  For 1 <= r <= s <= n it is
    [least_best n r s]:
      n <= r+s-2             r + s - n
      r+s-1 <= n <= (r-1)s   (n + s - r) / s, rounded up
      n > (r-1)s             n / s, rounded up *)

From mathcomp Require Import all_ssreflect zify.
From mathcomp Require Import fingroup perm all_algebra.
From Confmat Require Import Arithmetic Tables.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ------------------------------------------------------------------ *)
(** ** The value *)

Definition least_best (n r s : nat) : nat :=
  if n <= r + s - 2 then r + s - n
  else if n <= (r - 1) * s then ceil_div (n + s - r) s
  else ceil_div n s.

(* ------------------------------------------------------------------ *)
(** ** A column that every best matching uses

    Let f be a best matching that meets a zero in row i0, and let the entry (i0, j0) be positive.  Then
    every best matching g uses the column j0.  For suppose that g avoids it; follow i -> k whenever
    g i = f k, from i0, to get a set S of rows.  Then f' (j0 at i0, f on the rest of S, g elsewhere) and
    g' (g on S, f elsewhere) are matchings, and together weigh x i0 j0 more than f and g. *)

Lemma exchange_matchings r s (x : table r s) (f g : 'I_r -> 'I_s) i0 j0 :
  injective f -> injective g -> x i0 (f i0) = 0 -> (forall i, g i != j0) ->
  exists f' g' : 'I_r -> 'I_s, [/\ injective f', injective g' &
   \sum_i x i (f' i) + \sum_i x i (g' i) =
   \sum_i x i (f i) + \sum_i x i (g i) + x i0 j0].
Proof.
move=> fi gi z gj.
pose e := [rel i k | g i == f k].
pose S := connect e i0.
have Snext i k : S i -> g i = f k -> S k.
  by move=> Si gf; apply: connect_trans Si _; apply: connect1; rewrite /e /= gf.
have Sprev k : S k -> k != i0 -> exists2 i, S i & g i = f k.
  case/connectP => p; elim/last_ind: p k => [|p y _] k /=; first by move=> _ ->; rewrite eqxx.
  rewrite rcons_path last_rcons => /andP [pth /eqP gf] -> _; exists (last i0 p) => //.
  by apply/connectP; exists p.
pose f' i := if i == i0 then j0 else if S i then f i else g i.
pose g' i := if S i then g i else f i.
exists f', g'; split.
- have key i k : i != i0 -> S i -> ~~ S k -> f i != g k.
    move=> ii Si Sk; apply/eqP => h; have [l Sl gl] := Sprev i Si ii.
    by case/negP: Sk; rewrite -(gi l k) // gl h.
  have j0n i : i != i0 -> (if S i then f i else g i) != j0.
    move=> ii; case: ifP => // Si; have [l Sl <-] := Sprev i Si ii; exact: gj.
  move=> i k; rewrite /f'; case: (eqVneq i i0) => [->|ii]; case: (eqVneq k i0) => [->|kk] //.
  + by move=> h; have := j0n k kk; rewrite -h eqxx.
  + by move=> h; have := j0n i ii; rewrite h eqxx.
  case: ifP => Si; case: ifP => Sk; [exact: fi | | | exact: gi].
  + by move/eqP; rewrite (negbTE (key _ _ ii Si _)) ?Sk.
  + by move/esym/eqP; rewrite (negbTE (key _ _ kk Sk _)) ?Si.
- move=> i k; rewrite /g'; case: ifP => Si; case: ifP => Sk; [exact: gi | | | exact: fi].
  + by move=> /(Snext _ _ Si); rewrite Sk.
  + by move=> /esym /(Snext _ _ Sk); rewrite Si.
have S0 : S i0 by apply: connect0.
rewrite -!big_split /= (bigD1 i0) //= [in RHS](bigD1 i0) //= /f' /g' eqxx S0 z.
rewrite [RHS]addnAC; congr (_ + _); first by lia.
by apply: eq_bigr => i /negbTE ->; case: (S i); rewrite // addnC.
Qed.

Lemma column_in_every_best_matching r s (x : table r s) :
  r <= s -> (forall i, 0 < row_sum x i) -> best x < r ->
  exists j0, forall g : 'I_r -> 'I_s, injective g -> (forall i, g i != j0) ->
    \sum_i x i (g i) < best x.
Proof.
move=> rs R kr; have [f fi fk] := best_attained x rs.
have [i0 z] : exists i0, x i0 (f i0) = 0.
  have [/existsP [i /eqP h]|/existsPn no] := boolP [exists i, x i (f i) == 0]; first by exists i.
  have : r <= \sum_i x i (f i) by apply: positive_sum_ge => i; rewrite lt0n; apply: no.
  by rewrite fk; lia.
have [j0 p] : exists j0, 0 < x i0 j0.
  have [/existsP [j h]|/existsPn no] := boolP [exists j, 0 < x i0 j]; first by exists j.
  have := R i0; rewrite /row_sum big1 // => j _; have := no j; lia.
exists j0 => g gi gj.
have [f' [g' [fi' gi']]] := exchange_matchings fi gi z gj.
have := best_ge x fi'; have := best_ge x gi'; rewrite fk; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** Averaging over the s cyclic diagonals i -> i + d

    They partition the cells and each weighs at most k, so n <= s k.  If k < r, exactly r of them hit a
    column that every best matching uses; the s - r others weigh at most k - 1: n <= s k - (s - r). *)

Section Diag.
Variables (r s' : nat).
Local Notation s := s'.+1.
Variable rs : r <= s.
Import GRing.Theory.

Definition diagonal (d : 'I_s) (i : 'I_r) : 'I_s := (widen_ord rs i + d)%R.

Lemma diagonal_injective d : injective (diagonal d).
Proof. by move=> i k /(addIr d) /(congr1 val) /= h; apply: val_inj. Qed.

Lemma diagonals_total (x : table r s) : \sum_d \sum_i x i (diagonal d i) = total x.
Proof.
rewrite exchange_big /=; apply: eq_bigr => i _.
by rewrite [RHS](reindex_inj (addrI (widen_ord rs i))).
Qed.

Lemma diagonals_through_column (j0 : 'I_s) : \sum_d \sum_i (diagonal d i == j0) = r.
Proof.
rewrite (diagonals_total (fun _ j => nat_of_bool (j == j0))) /total.
rewrite (eq_bigr (fun=> 1)) => [|i _]; last by rewrite sum_indicator_eq.
by rewrite sum1_card card_ord.
Qed.

Lemma total_le (x : table r s) : total x <= s * best x.
Proof.
rewrite -diagonals_total -[s in s * _]card_ord -sum_nat_const; apply: leq_sum => d _.
exact: best_ge (@diagonal_injective d).
Qed.

Lemma total_le_few_rows (x : table r s) :
  (forall i, 0 < row_sum x i) -> best x < r -> total x + s <= s * best x + r.
Proof.
move=> R kr; have [j0 H] := column_in_every_best_matching rs R kr.
have : \sum_d (\sum_i x i (diagonal d i) + 1) <= \sum_d (best x + \sum_i (diagonal d i == j0)).
  apply: leq_sum => d _.
  have [/existsP [i /eqP e]|/existsPn no] := boolP [exists i, diagonal d i == j0].
    have := best_ge x (@diagonal_injective d); rewrite [X in _ -> _ <= _ + X](bigD1 i) //= e eqxx; lia.
  have := H (diagonal d) (@diagonal_injective d) no; lia.
by rewrite !big_split /= diagonals_through_column diagonals_total !sum_nat_const !card_ord muln1.
Qed.
End Diag.

(* ------------------------------------------------------------------ *)
(** ** The bound k >= r + s - n

    For a best matching f let I0 be the rows where f meets a zero and J0 the columns without a positive
    cell of f.  The cells of I0 x J0 are zeros, else f could be improved.  The objects of the matching,
    of the rows I0 and of the columns J0 are distinct: n >= k + |I0| + |J0|, and k + |I0| >= r,
    k + |J0| >= s as f has at most k positive cells. *)

Lemma no_gain (a b c : nat) : b <= c -> a + c <= 0 + b -> 0 < a -> False.
Proof. lia. Qed.

Lemma best_ge_sparse n r s (x : table r s) : r <= s -> in_class n x -> r + s <= n + best x.
Proof.
move=> rs [tn R C]; have [f fi fk] := best_attained x rs.
pose I0 i := x i (f i) == 0.
pose J1 j := [exists i, ~~ I0 i && (f i == j)].   (* columns used by a positive cell *)
(* a zero row and an unused column: zero cell *)
have zero i j : I0 i -> ~~ J1 j -> x i j = 0.
  move=> /eqP zi nj; case: (posnP (x i j)) => // p; exfalso.
  have [/existsP [k /eqP fk']|/existsPn no] := boolP [exists k, f k == j].
    (* column j is used by a row k with a zero: exchange the two *)
    have zk : x k (f k) = 0.
      apply/eqP; move/existsPn: nj => /(_ k); rewrite fk' eqxx andbT negbK /I0.
      by rewrite fk'.
    have ik : i != k by apply/eqP => h; rewrite -fk' -h zi in p.
    pose f' l := f (tperm i k l).
    have fi' : injective f' by move=> a b /fi /perm_inj.
    have := best_ge x fi'; rewrite -fk (bigD1 i) //= [X in _ <= X](bigD1 i) //= zi.
    have -> : x i (f' i) = x i j by rewrite /f' tpermL fk'.
    have : \sum_(l < r | l != i) x l (f l) <= \sum_(l < r | l != i) x l (f' l).
      apply: leq_sum => l li; rewrite /f'; case: (eqVneq l k) => [->|lk]; first by rewrite zk.
      by rewrite tpermD // eq_sym.
    by move=> h1 h2; apply: no_gain h1 h2 p.
  pose f' l := if l == i then j else f l.
  have fi' : injective f'.
    move=> a b; rewrite /f'; case: (eqVneq a i) => [->|ai]; case: (eqVneq b i) => [->|bi] //.
    + by move=> h; have := no b; rewrite -h eqxx.
    + by move=> h; have := no a; rewrite h eqxx.
    + exact: fi.
  have := best_ge x fi'; rewrite -fk (bigD1 i) //= [X in _ <= X](bigD1 i) //= zi.
  have -> : x i (f' i) = x i j by rewrite /f' eqxx.
  have -> : \sum_(l < r | l != i) x l (f' l) = \sum_(l < r | l != i) x l (f l).
    by apply: eq_bigr => l li; rewrite /f' (negbTE li).
  by move=> h2; apply: no_gain (leqnn _) h2 p.
have h1 : \sum_i \sum_j (f i == j) * x i j = best x.
  rewrite -fk; apply: eq_bigr => i _; rewrite (bigD1 (f i)) //= eqxx mul1n big1 ?addn0 //.
  by move=> j h; rewrite eq_sym (negbTE h).
have h2 : \sum_i (I0 i) <= \sum_i \sum_j I0 i * x i j.
  by apply: leq_sum => i _; rewrite -big_distrr /=; case: (I0 i) => //=; rewrite mul1n; exact: R.
have h3 : \sum_j (~~ J1 j) <= \sum_i \sum_j (~~ J1 j) * x i j.
  rewrite exchange_big /=; apply: leq_sum => j _; rewrite -big_distrr /=.
  by case: (J1 j) => //=; rewrite mul1n; exact: C.
have h4 : \sum_i \sum_j (f i == j) * x i j + \sum_i \sum_j I0 i * x i j +
          \sum_i \sum_j (~~ J1 j) * x i j <= n.
  rewrite -tn -!big_split; apply: leq_sum => i _; rewrite -!big_split; apply: leq_sum => j _ /=.
  have [xz|xp] := posnP (x i j); first by rewrite xz !muln0.
  case: (boolP (I0 i)) => zi; case: (boolP (J1 j)) => nj; case: (f i =P j) => e //=;
    rewrite ?mul1n ?mul0n ?addn0 ?add0n //; exfalso.
  + by have := eqP zi; rewrite e => z; rewrite z in xp.
  + by move: xp; rewrite (zero i j zi nj).
  + by move: xp; rewrite (zero i j zi nj).
  + by have /existsPn /(_ i) := nj; rewrite zi e eqxx.
have h5 : \sum_(j < s) (J1 j) <= \sum_i (~~ I0 i).
  rewrite !sum_indicator_card.
  rewrite -(card_image fi); apply/subset_leq_card/subsetP => j; rewrite inE.
  by case/existsP => i /andP [zi /eqP <-]; apply/imageP; exists i.
have h6 : \sum_(j < s) (J1 j) + \sum_j (~~ J1 j) = s.
  rewrite -big_split /= (eq_bigr (fun=> 1)) => [|j _]; last by case: (J1 j).
  by rewrite sum1_card card_ord.
have h7 : \sum_i (I0 i) + \sum_i (~~ I0 i) = r.
  rewrite -big_split /= (eq_bigr (fun=> 1)) => [|j _]; last by case: (I0 j).
  by rewrite sum1_card card_ord.
have h8 : \sum_i (~~ I0 i) <= best x.
  by rewrite -fk; apply: leq_sum => i _; rewrite /I0; case: (x i (f i)).
by lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The lower bound *)
Theorem best_ge_least n r s (x : table r s) :
  0 < r <= s -> s <= n -> in_class n x -> least_best n r s <= best x.
Proof.
case: s x => [|s'] x /andP [r0 rs] sn xM; first by lia.
have h1 := best_ge_sparse rs xM.
have [tn R _] := xM; have h2 := total_le rs x; have h3 := total_le_few_rows rs R.
rewrite tn in h2 h3; rewrite /least_best; case: (leqP n (r + s'.+1 - 2)) => c1; first by lia.
case: (leqP n ((r - 1) * s'.+1)) => c2; last by apply: ceil_div_le.
apply: ceil_div_le => //.
case: (ltnP (best x) r) => [/h3|]; first by lia.
move=> /(leq_mul (leqnn s'.+1)); lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** Tables below an envelope

    If x i j <= u_i + v_j for all cells, every matching weighs at most sum u + sum v.  Between a 0/1 table
    that meets every row and column and such an envelope there is a table of every total. *)
Lemma best_le_envelope r s (x : table r s) (u : 'I_r -> nat) (v : 'I_s -> nat) :
  (forall i j, x i j <= u i + v j) -> best x <= \sum_i u i + \sum_j v j.
Proof.
move=> H; apply: best_le => f fi.
apply: (@leq_trans (\sum_i (u i + v (f i)))); first by apply: leq_sum.
rewrite big_split leq_add2l /=.
have -> : \sum_i v (f i) = \sum_(j in f @: setT) v j.
  rewrite big_imset /=; last by move=> a b _ _; apply: fi.
  by apply: eq_bigl => i; rewrite inE.
by rewrite [X in _ <= X](bigID (mem (f @: setT))) /= leq_addr.
Qed.

(* from a 0/1 base L and an envelope to a table *)
Lemma table_between n r s (L : 'I_r -> 'I_s -> bool) (u : 'I_r -> nat) (v : 'I_s -> nat) :
  (forall i, exists j, L i j) -> (forall j, exists i, L i j) ->
  (forall i j, L i j -> 0 < u i + v j) ->
  (\sum_i \sum_j L i j <= n)%N && (n <= s * (\sum_i u i) + r * (\sum_j v j))%N ->
  exists2 x : 'I_r -> 'I_s -> nat, in_class n x & best x <= \sum_i u i + \sum_j v j.
Proof.
move=> LR LC LU hn.
have [||h [H1 H2]] := @family_between _ (fun t : 'I_r * 'I_s => L t.1 t.2) (fun t => u t.1 + v t.2) n.
- by move=> [i j] /=; case: (L i j) (LU i j) => // ->.
- rewrite -(pair_bigA _ (fun i j => nat_of_bool (L i j))) /=.
  rewrite -(pair_bigA _ (fun i j => u i + v j)) /=.
  have -> // : \sum_i \sum_j (u i + v j) = s * (\sum_i u i) + r * (\sum_j v j).
  rewrite (eq_bigr (fun i => s * u i + \sum_j v j)) => [|i _]; last first.
    by rewrite big_split /= sum_nat_const card_ord.
  by rewrite big_split /= -big_distrr sum_nat_const card_ord.
exists (fun i j => h (i, j)); last first.
  by apply: best_le_envelope => i j; case/andP: (H1 (i, j)).
have pos i j : L i j -> 0 < h (i, j).
  by move=> l; have := H1 (i, j); rewrite /= l; case/andP.
split.
- by rewrite /total pair_bigA -H2; apply: eq_bigr => -[].
- by move=> i; have [j /pos p] := LR i; rewrite /row_sum (bigD1 j) //=; lia.
- by move=> j; have [i /pos p] := LC j; rewrite /col_sum (bigD1 i) //=; lia.
Qed.

(* k >= r: u >= 1 with sum k, v = 0 *)
Lemma attained_rows n r s k : 0 < r <= s -> r <= k -> s <= n <= s * k ->
  exists2 x : 'I_r -> 'I_s -> nat, in_class n x & best x <= k.
Proof.
case: r => [|a] // /andP [_ rs] rk hn.
pose u (i : 'I_a.+1) := if i == 0 :> nat then k - a else 1.
have su : \sum_i u i = k.
  rewrite big_ord_recl /u /=; under eq_bigr do rewrite /=.
  by rewrite sum_nat_const card_ord; lia.
suff [h H1 H2] : exists2 x : 'I_a.+1 -> 'I_s -> nat, in_class n x & best x <= \sum_i u i + \sum_(j < s) 0.
  by exists h => //; apply: leq_trans H2 _; rewrite su sum_nat_const muln0 addn0.
apply: (@table_between n a.+1 s (fun i j => i == minn j a :> nat) u (fun=> 0)) => [i|j|i j|].
- have hi : i < s by have := ltn_ord i; lia.
  by exists (Ordinal hi) => /=; have := ltn_ord i; lia.
- have hj : minn j a < a.+1 by lia.
  by exists (Ordinal hj) => /=.
- by move=> _; rewrite /u; case: ifP => _ //; lia.
- rewrite su sum_nat_const card_ord muln0 muln0 addn0 exchange_big /=.
  case/andP: hn => h1 h2; apply/andP; split=> //; apply: leq_trans h1.
  rewrite (eq_bigr (fun=> 1)) ?sum1_card ?card_ord // => j _.
  have hj : minn j a < a.+1 by lia.
  by rewrite -(sum_indicator_eq (Ordinal hj)); apply: eq_bigr => i _.
Qed.

(* 2 <= k <= r: u = 1 on k-1 rows, v = 1 on one column *)
Lemma attained_rows_and_column n r s k : 1 < k -> k <= r <= s -> r + s <= n + k -> n + s <= s * k + r ->
  exists2 x : 'I_r -> 'I_s -> nat, in_class n x & best x <= k.
Proof.
case: k => [|[|k]] // _.
case: s => [|s']; first by move=> h; exfalso; lia.
move=> /andP [kr rs] n1 n2.
pose u (i : 'I_r) := nat_of_bool (i < k.+1).
pose v (j : 'I_s'.+1) := nat_of_bool (j == 0 :> nat).
have sum_indicator_lt' m b : \sum_(i < m) (i < b) = minn b m.
  by exact: sum_indicator_lt.
have su : \sum_i u i = k.+1 by rewrite sum_indicator_lt'; apply/minn_idPl; lia.
have sv : \sum_j v j = 1 by rewrite big_ord_recl /= big1.
pose L (i : 'I_r) (j : 'I_s'.+1) : bool :=
  if j == 0 :> nat then k.+1 <= i else i == minn j.-1 k :> nat.
suff [h H1 H2] : exists2 x : 'I_r -> 'I_s'.+1 -> nat, in_class n x & best x <= \sum_i u i + \sum_j v j.
  by exists h => //; apply: leq_trans H2 _; rewrite su sv addn1.
apply: (@table_between n r s'.+1 L u v) => [i|j|i j|].
- rewrite /L; case: (ltnP i k.+1) => ik; last by exists ord0.
  have hi : i.+1 < s'.+1 by lia.
  by exists (Ordinal hi) => /=; lia.
- rewrite /L; case: (eqVneq (j : nat) 0) => j0.
    by have hr : k.+1 < r by []; exists (Ordinal hr) => /=.
  have hj : minn j.-1 k < r by lia.
  by exists (Ordinal hj) => /=.
- by rewrite /L /u /v; case: eqP => //=; lia.
- rewrite su sv muln1; apply/andP; split; last by lia.
  rewrite exchange_big big_ord_recl /= (eq_bigr (fun i : 'I_r => 1 - (i < k.+1))) => [|i _]; last first.
    by rewrite /L /=; lia.
  have e1 : \sum_(i < r) (1 - (i < k.+1)) + \sum_(i < r) (i < k.+1) = r.
    rewrite -big_split /= (eq_bigr (fun=> 1)) => [|i _]; last by lia.
    by rewrite sum1_card card_ord.
  rewrite sum_indicator_lt' in e1.
  have e2 : \sum_(j < s') \sum_(i < r) L i (lift ord0 j) = s'.
    rewrite (eq_bigr (fun=> 1)) ?sum1_card ?card_ord // => j _.
    have hj : minn j k < r by lia.
    by rewrite -(sum_indicator_eq (Ordinal hj)); apply: eq_bigr => i _; rewrite /L /=.
  rewrite e2; move: (\sum_(i < r) (1 - _)) e1 => S1 e1; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** Main theorems *)

Theorem least_best_is_min n r s : 0 < r <= s -> s <= n ->
  (forall x : 'I_r -> 'I_s -> nat, in_class n x -> least_best n r s <= best x) /\
  (exists2 x : 'I_r -> 'I_s -> nat, in_class n x & best x = least_best n r s).
Proof.
move=> rs sn; split=> [x|]; first exact: best_ge_least.
suff [x xM h] : exists2 x : 'I_r -> 'I_s -> nat, in_class n x & best x <= least_best n r s.
  by exists x => //; apply/eqP; rewrite eqn_leq h best_ge_least.
have s0 : 0 < s by lia.
rewrite /least_best; case: leqP => c1.
  by apply: attained_rows_and_column; try lia; nia.
case: leqP => c2.
  have g := ceil_div_ge (n + s - r) s0.
  have l : ceil_div (n + s - r) s <= r by apply: ceil_div_le => //; nia.
  have l2 : 1 < ceil_div (n + s - r) s.
    by rewrite ltnNge; apply/negP => h; have := leq_mul (leqnn s) h; lia.
  apply: attained_rows_and_column; lia.
have g := ceil_div_ge n s0.
have l : r <= ceil_div n s.
  rewrite leqNgt; apply/negP => h.
  have : s * ceil_div n s <= s * (r - 1) by rewrite leq_pmul2l //; lia.
  by lia.
by apply: attained_rows; rewrite ?sn.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The MED itself, and labelings *)

Definition largest_nMED n r s : nat := n - least_best n r s.

Section Rational.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem largest_MED n r s : (0 < r <= s)%N -> (s <= n)%N ->
  (forall x : table r s, in_class n x -> MED x <= (largest_nMED n r s)%:R / n%:R) /\
  (exists2 x : table r s, in_class n x & MED x = (largest_nMED n r s)%:R / n%:R).
Proof.
move=> rs sn; have [L [x xM e]] := least_best_is_min rs sn; split=> [y yM|].
  have [tn _ _] := yM; rewrite MED_nat tn ratio_le; try lia.
  by rewrite leq_mul2r leq_sub2l ?orbT ?L.
by exists x => //; have [tn _ _] := xM; rewrite MED_nat tn e.
Qed.
End Rational.

(* [least_mislabeled]: n - best is the number of objects on which f and g differ after the best relabeling *)
Theorem largest_mislabeled n r s : 0 < r <= s -> s <= n ->
  (forall (f : 'I_n -> 'I_r) (g : 'I_n -> 'I_s), onto f -> onto g ->
     exists2 t, injective t & mislabeled f g t <= largest_nMED n r s) /\
  (exists (f : 'I_n -> 'I_r) (g : 'I_n -> 'I_s), [/\ onto f, onto g &
     forall t, injective t -> largest_nMED n r s <= mislabeled f g t]).
Proof.
move=> rs sn; have [L [x xM e]] := least_best_is_min rs sn.
have [_ rs'] := andP rs; split=> [f g sf sg|].
  have [_ [t ti te]] := least_mislabeled f g rs'; exists t => //.
  by rewrite te leq_sub2l // L //; apply: contingency_in_class.
have [f [g [sf sg cx]]] := table_from_labelings xM; exists f, g; split=> // t ti.
have [h _] := least_mislabeled f g rs'; apply: leq_trans (h t ti).
by rewrite /largest_nMED -e (eq_best cx).
Qed.

(* values found by exhaustive enumeration *)
Goal [&& largest_nMED 8 3 4 == 5, largest_nMED 9 3 5 == 6, largest_nMED 20 2 2 == 10,
         largest_nMED 30 3 3 == 20, largest_nMED 12 5 5 == 9, largest_nMED 13 5 5 == 10,
         largest_nMED 5 3 4 == 3, largest_nMED 2 2 2 == 0 & largest_nMED 13 4 6 == 10].
Proof. by vm_compute. Qed.
